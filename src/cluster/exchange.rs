//! The exchange: rounds in which every process sends messages to all, on timely dataflow.
//!
//! A round is a time of timely. Timely's exchange brings each parcel to its receiver. Timely's progress
//! tracking tells when a round is complete: then no process can send any more parcels of it.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc, time::Duration};

use timely::{
    container::CapacityContainerBuilder,
    dataflow::{
        InputHandle, ProbeHandle,
        channels::pact::Exchange as ByReceiver,
        operators::{Input, Probe, generic::Operator},
    },
    worker::Worker,
};

use crate::cluster::message::Message;

/// The number of the receiving process, and what is sent to it.
pub(super) type Parcel = (u64, Message);

/// What has arrived, by round.
type Arrived = Rc<RefCell<BTreeMap<u32, Vec<Message>>>>;

/// How a process takes part in the rounds.
pub(super) struct Exchange<'a> {
    worker: &'a mut Worker,
    input: InputHandle<u32, CapacityContainerBuilder<Vec<Parcel>>>,
    probe: ProbeHandle<u32>,
    arrived: Arrived,
}

impl<'a> Exchange<'a> {
    pub(super) fn new(worker: &'a mut Worker) -> Self {
        let arrived = Arrived::default();
        let arriving = Rc::clone(&arrived);
        let (input, probe) = worker.dataflow(|scope| {
            let (input, parcels) = scope.new_input::<Vec<Parcel>>();
            let by_receiver = ByReceiver::new(|parcel: &Parcel| parcel.0);
            let taken = parcels.unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(
                by_receiver,
                "take",
                |_, _| {
                    move |input, _| {
                        input.for_each(|cap, parcels| {
                            let round = cap.stamp().least().copied().unwrap_or_default();
                            let messages = parcels.drain(..).map(|(_, message)| message);
                            arriving.borrow_mut().entry(round).or_default().extend(messages);
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

    /// Sends all parcels of this process for the round, and ends the round for this process.
    pub(super) fn send(&mut self, parcels: impl IntoIterator<Item = Parcel>) {
        parcels.into_iter().for_each(|parcel| self.input.send(parcel));
        let next = *self.input.time() + 1;
        self.input.advance_to(next);
        self.worker.step();
    }

    /// Waits for all messages of the round in which this process has last sent; `None` if `go_on` says no.
    pub(super) fn receive(&mut self, go_on: impl Fn() -> bool) -> Option<Vec<Message>> {
        /// The longest time between two calls of `go_on`.
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
