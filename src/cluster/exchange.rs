//! The exchange: rounds in which every process sends to all, on timely dataflow.
//!
//! A round is a time of timely's. Its exchange brings parcels to those they are for, and its tracking of progress
//! says when all of a round have come: no process can send any more of them.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc, time::Duration};

use serde::{Serialize, de::DeserializeOwned};
use timely::{
    dataflow::{
        InputHandle, ProbeHandle,
        channels::pact::Exchange as ByAddressee,
        operators::{Input, Probe, generic::Operator},
    },
    worker::Worker,
};

/// What processes send to one another.
pub(super) trait News: Clone + Send + Serialize + DeserializeOwned + 'static {}

impl<N: Clone + Send + Serialize + DeserializeOwned + 'static> News for N {}

/// A process that is addressed, and what it is told.
pub(super) type Parcel<N> = (u64, N);

/// How a process takes part in the rounds.
pub(super) struct Exchange<'a, N: News> {
    worker: &'a mut Worker,
    input: InputHandle<u32, timely::container::CapacityContainerBuilder<Vec<Parcel<N>>>>,
    probe: ProbeHandle<u32>,
    /// What has come, by round.
    arrived: Rc<RefCell<BTreeMap<u32, Vec<N>>>>,
}

impl<'a, N: News> Exchange<'a, N> {
    pub(super) fn new(worker: &'a mut Worker) -> Self {
        let arrived = Rc::new(RefCell::new(BTreeMap::<u32, Vec<N>>::new()));
        let arriving = Rc::clone(&arrived);
        let (input, probe) = worker.dataflow(|scope| {
            let (input, parcels) = scope.new_input::<Vec<Parcel<N>>>();
            let by_addressee = ByAddressee::new(|parcel: &Parcel<N>| parcel.0);
            let taken = parcels
                .unary::<timely::container::CapacityContainerBuilder<Vec<()>>, _, _, _>(
                    by_addressee,
                    "take",
                    |_, _| {
                        move |input, _| {
                            input.for_each(|cap, parcels| {
                                let round = cap.stamp().least().copied().unwrap_or_default();
                                let news = parcels.drain(..).map(|(_, news)| news);
                                arriving.borrow_mut().entry(round).or_default().extend(news);
                            });
                        }
                    },
                );
            (input, taken.probe().0)
        });
        Self { worker, input, probe, arrived }
    }

    /// The number of this process.
    pub(super) fn process(&self) -> usize {
        self.worker.index()
    }

    /// How many processes there are.
    pub(super) fn processes(&self) -> usize {
        self.worker.peers()
    }

    /// Sends all that this process has for the round.
    pub(super) fn send(&mut self, parcels: impl IntoIterator<Item = Parcel<N>>) {
        parcels.into_iter().for_each(|parcel| self.input.send(parcel));
        let next = *self.input.time() + 1;
        self.input.advance_to(next);
        self.worker.step();
    }

    /// All that has come in the round for which this process sent last; `None` if it is no longer to `go_on`.
    pub(super) fn receive(&mut self, go_on: impl Fn() -> bool) -> Option<Vec<N>> {
        /// How long it may take to notice that one is not to go on.
        const TICK: Duration = Duration::from_millis(50);
        let next = *self.input.time();
        while self.probe.less_than(&next) {
            if !go_on() {
                return None;
            }
            self.worker.step_or_park(Some(TICK));
        }
        Some(self.arrived.borrow_mut().remove(&(next - 1)).unwrap_or_default())
    }
}
