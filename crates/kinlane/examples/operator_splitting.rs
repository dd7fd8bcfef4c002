//! How a CFD host calls kinlane: its own arrays, its own layout, Strang splitting.
//!
//! A one-dimensional tube of hydrogen and air, hot on the left. Each time step diffuses for half a step, reacts for
//! a whole one, and diffuses for another half. Run with
//! `cargo run --release -p kinlane --example operator_splitting`.

use kinlane::{Advance, Cells, Layout, Mechanism, Outcome};

/// The host's arrays. `y[k * cells + i]`: the host keeps one field per species, so its layout is species-major.
struct Fields {
    temperature: Vec<f64>,
    pressure: Vec<f64>,
    y: Vec<f64>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mechanism = Mechanism::bundled("h2")?;
    let (cells, dt, steps) = (400, 1e-6, 100);
    let fresh = mechanism.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)])?;

    let mut f = Fields {
        temperature: (0..cells).map(|i| if i < 40 { 1500.0 } else { 900.0 }).collect(),
        pressure: vec![101_325.0; cells],
        y: fresh.iter().flat_map(|&y| std::iter::repeat_n(y, cells)).collect(),
    };
    let mut outcome = vec![Outcome::default(); cells];

    // Tables and work space are allocated here, once. The loop allocates threads, and with `.threads(1)` not even these.
    let mut chemistry = Advance::builder(&mechanism).rtol(1e-5).atol(1e-10).plan()?;
    let mut seconds = 0.0;

    for step in 0..steps {
        diffuse(&mut f, cells, dt / 2.0);

        let batch = Cells::new(&mut f.temperature, &mut f.pressure, &mut f.y, Layout::SpeciesMajor, &mut outcome);
        let report = chemistry.advance(batch, dt)?;
        seconds += report.seconds;

        // A failed cell keeps the state it came with: the host decides what that means. This one goes on.
        if report.failed > 0 {
            for (i, o) in outcome.iter().enumerate().filter(|(_, o)| o.status != kinlane::Status::Done) {
                eprintln!("step {step}, cell {i}: {} at t = {:.3e} s", o.status, o.t);
            }
        }

        diffuse(&mut f, cells, dt / 2.0);
    }

    let hottest = f.temperature.iter().copied().fold(0.0, f64::max);
    println!("{steps} steps of {cells} cells: {seconds:.3} s in the chemistry, hottest cell {hottest:.0} K");
    Ok(())
}

/// One explicit step of diffusion with equal diffusivities, enough to stand for a host's transport.
fn diffuse(f: &mut Fields, cells: usize, dt: f64) {
    let (diffusivity, dx) = (2e-3, 1e-4); // m2/s, m
    let number = diffusivity * dt / (dx * dx);
    for field in std::iter::once(&mut f.temperature[..]).chain(f.y.chunks_exact_mut(cells)) {
        let mut left = field[0];
        for i in 0..cells {
            let (here, right) = (field[i], field[(i + 1).min(cells - 1)]);
            field[i] = here + number * (left - 2.0 * here + right);
            left = here;
        }
    }
}
