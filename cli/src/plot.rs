//! Plots, as SVG files.

use std::{ops::ControlFlow, path::Path};

use anyhow::{Context, Result};
use indicatif::HumanCount;
use plotters::{coord::Shift, element::DashedPathElement, prelude::*};

/// The width and height of a plot, in pixels.
const SIZE: (u32, u32) = (1000, 640);
const FONT: &str = "sans-serif";

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// A line of a plot.
pub(crate) struct Series {
    /// The name in the legend.
    pub(crate) name: String,
    /// The number of a colour.
    pub(crate) color: usize,
    /// The number of a dash pattern.
    pub(crate) dashes: usize,
    /// Distances with their values, sorted by distance.
    pub(crate) points: Vec<(u32, f64)>,
}

impl Series {
    /// Colours that colour-blind people can distinguish: M. Okabe and K. Ito, *Color universal design*, 2008.
    const COLORS: [RGBColor; 6] = [
        RGBColor(0, 0, 0),
        RGBColor(213, 94, 0),
        RGBColor(0, 158, 115),
        RGBColor(0, 114, 178),
        RGBColor(204, 121, 167),
        RGBColor(230, 159, 0),
    ];
    /// Dash and gap, in pixels. A dash of 10,000 pixels makes the line solid.
    const DASHES: [(i32, i32); 5] = [(10_000, 0), (2, 4), (8, 4), (16, 4), (10_000, 0)];

    fn dashes(&self) -> (i32, i32) {
        Self::DASHES[self.dashes % Self::DASHES.len()]
    }

    /// The radius of the points, in pixels. If points coincide, an earlier point is visible as a ring around a later
    /// one.
    fn radius(&self) -> i32 {
        5 - self.color.min(4) as i32
    }

    fn color(&self) -> RGBColor {
        Self::COLORS[self.color % Self::COLORS.len()]
    }
}

/// Draws the number of boards at each distance as a bar.
pub(crate) fn bars(path: &Path, title: &str, boards: &[u64]) -> Result<()> {
    save(path, |area| {
        let most = boards.iter().max().copied().unwrap_or(0);
        let last = boards.len().saturating_sub(1) as u32;
        let mut chart = ChartBuilder::on(area)
            .caption(title, (FONT, 22))
            .margin(16)
            .x_label_area_size(50)
            .y_label_area_size(100)
            .build_cartesian_2d((0..last).into_segmented(), 0..most + most / 20 + 1)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(WHITE)
            .x_desc("distance from the goal (moves)")
            .y_desc("boards")
            .x_labels(boards.len().min(40))
            .x_label_formatter(&|segment| match segment {
                SegmentValue::CenterOf(distance) => distance.to_string(),
                _ => String::new(),
            })
            .y_label_formatter(&|boards| HumanCount(*boards).to_string())
            .label_style((FONT, 14))
            .axis_desc_style((FONT, 16))
            .draw()?;
        let bars = Histogram::vertical(&chart)
            .style(Series::COLORS[3].filled())
            .margin(2)
            .data((0..).zip(boards.iter().copied()));
        chart.draw_series(bars)?;
        Ok(())
    })
}

/// Draws the number of expanded boards over the distance, on a logarithmic scale, with a legend on the right.
pub(crate) fn lines(path: &Path, title: &str, series: &[Series]) -> Result<()> {
    const LEGEND: u32 = 230;
    let points = || series.iter().flat_map(|series| &series.points);
    let most = points().map(|(_, value)| *value).fold(1.0, f64::max);
    let distances = || points().map(|(distance, _)| *distance);
    let range = match (distances().min().unwrap_or(0), distances().max().unwrap_or(0)) {
        (first, last) if first == last => first.saturating_sub(1)..last + 1,
        (first, last) => first..last,
    };
    save(path, |area| {
        let (left, legend) = area.split_horizontally(SIZE.0 - LEGEND);
        let mut chart = ChartBuilder::on(&left)
            .caption(title, (FONT, 22))
            .margin(16)
            .x_label_area_size(50)
            .y_label_area_size(100)
            .build_cartesian_2d(range, (1.0..most * 1.5).log_scale())?;
        chart
            .configure_mesh()
            .light_line_style(WHITE)
            .x_desc("distance of the start (moves)")
            .y_desc("boards expanded (mean, logarithmic scale)")
            .x_labels(20)
            .y_label_formatter(&|boards| HumanCount(boards.round() as u64).to_string())
            .label_style((FONT, 14))
            .axis_desc_style((FONT, 16))
            .draw()?;
        for series in series {
            let (dash, gap) = series.dashes();
            let style = series.color().stroke_width(2);
            let points = series.points.iter().copied();
            chart.draw_series(DashedLineSeries::new(points.clone(), dash, gap, style))?;
            chart.draw_series(
                points.map(|point| Circle::new(point, series.radius(), series.color().filled())),
            )?;
        }
        draw_legend(&legend, series)
    })
}

/// Draws the name of each line, beside a sample of the line.
fn draw_legend(area: &Area<'_>, series: &[Series]) -> Result<()> {
    for (row, series) in (0..).zip(series) {
        let y = 70 + 24 * row;
        let (dash, gap) = series.dashes();
        let style = series.color().stroke_width(2);
        area.draw(&DashedPathElement::new([(0, y), (44, y)], dash, gap, style))?;
        area.draw(&Circle::new((22, y), series.radius(), series.color().filled()))?;
        area.draw(&Text::new(series.name.clone(), (54, y - 8), (FONT, 14)))?;
    }
    Ok(())
}

/// Draws a plot by `draw`, and writes it to a file.
fn save(path: &Path, draw: impl FnOnce(&Area<'_>) -> Result<()>) -> Result<()> {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    draw(&area)?;
    area.present()?;
    drop(area);
    tilebase::write_whole(path, svg.as_bytes(), |_| ControlFlow::Continue(()))
        .with_context(|| path.display().to_string())
}
