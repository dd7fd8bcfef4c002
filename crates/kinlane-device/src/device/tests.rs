//! A device with a driver that only counts and copies: what is asked of it for which batch, and what becomes of its output.

use super::setup::{QUEUE, RESERVED, near};
use super::*;
use crate::driver::{Argument, Memory, Staging};
use crate::supply::{Part, Supply};
use kinlane_kernels::{Mapping, abreast};
use kinlane_lanes::{Cells, Layout, Points, Signals};
use kinlane_plan::Plan;
use kinlane_solve::methods::control::DONE;
use kinlane_solve::{Outcome, Status};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What a driver was asked for.
#[derive(Default)]
struct Asked {
    /// Number of pieces of device memory.
    pieces: usize,
    /// Number of groups in the last launch.
    groups: usize,
    /// The number of cells that every launch is to end, at 2000 K.
    ends: usize,
    /// Whether workers are to pause, and what is to be set meanwhile.
    pauses: Option<Arc<AtomicBool>>,
}

/// A card with so many multiprocessors that runs nothing.
struct Idle {
    info: Info,
    asked: Arc<Mutex<Asked>>,
    staging: Vec<Vec<f64>>,
    kernels: usize,
    /// What has been written, as numbers.
    memory: Vec<Vec<f64>>,
}

impl Driver for Idle {
    fn info(&self) -> &Info {
        &self.info
    }
    fn kernel(&mut self, _source: &str, _name: &'static str) -> Result<usize, DeviceError> {
        self.kernels += 1;
        Ok(self.kernels - 1)
    }
    fn resident(&self, _kernel: usize, size: usize) -> usize {
        self.info.units * (512 / size * size)
    }
    fn memory(&mut self, _bytes: usize, _what: &'static str) -> Result<Memory, DeviceError> {
        self.asked.lock().unwrap().pieces += 1;
        self.memory.push(Vec::new());
        Ok(Memory(self.memory.len() - 1))
    }
    fn staging(&mut self, numbers: usize) -> Result<Staging, DeviceError> {
        self.staging.push(vec![0.0; numbers]);
        Ok(Staging(self.staging.len() - 1))
    }
    fn release(&mut self) {
        (self.memory, self.staging) = Default::default();
    }
    fn host(&mut self, s: Staging) -> &mut [f64] {
        &mut self.staging[s.0]
    }
    fn write(&mut self, _to: Memory, _bytes: &[u8]) -> Result<(), DeviceError> {
        Ok(())
    }
    fn upload(&mut self, _: usize, from: Staging, to: Memory, numbers: usize) -> Result<(), DeviceError> {
        self.memory[to.0] = self.staging[from.0][..numbers].to_vec();
        Ok(())
    }
    fn download(&mut self, _: usize, from: Memory, to: Staging, numbers: usize) -> Result<(), DeviceError> {
        let all = self.memory[from.0].iter().chain(std::iter::repeat(&0.0));
        self.staging[to.0][..numbers].iter_mut().zip(all).for_each(|(to, x)| *to = *x);
        Ok(())
    }
    fn zero(&mut self, _: usize, m: Memory, bytes: usize) -> Result<(), DeviceError> {
        let memory = &mut self.memory[m.0];
        memory.resize(memory.len().max(bytes / 8), 0.0);
        memory[..bytes / 8].fill(0.0);
        Ok(())
    }
    fn launch(&mut self, _: usize, _: usize, groups: usize, _: usize, a: &[Argument]) -> Result<(), DeviceError> {
        let mut asked = self.asked.lock().unwrap();
        asked.groups = groups;
        // See `Device::launch`.
        if let Some([Argument::Memory(output), Argument::Memory(queue), _, _, Argument::Count(cells)]) = a.get(4..9)
            && *cells > 0
        {
            let (n, output) = (*cells as usize, &mut self.memory[output.0]);
            output.resize(output.len().max(100 * n), 0.0);
            output[..asked.ends].fill(2000.0);
            output[copies::VERDICT * n..][..asked.ends].fill(DONE);
            // The number of those that have paused in the first stage.
            self.memory[queue.0][0] = f64::from_bits(u64::from(asked.pauses.is_some()));
            asked.pauses.iter().for_each(|stop| stop.store(true, Ordering::Relaxed));
        }
        Ok(())
    }
    fn finish(&mut self, _: usize) -> Result<(), DeviceError> {
        Ok(())
    }
}

/// A device for a mechanism on a card with `units` multiprocessors and so many GiB, and what is asked of it.
fn device(mechanism: &str, units: usize, gib: u64) -> Option<(Device, Arc<Mutex<Asked>>)> {
    let plan = Arc::new(Plan::new(&kinlane_testdata::files::mechanism(mechanism)?));
    let (name, driver, memory) = (String::from("idle"), String::new(), gib << 30);
    let info = Info {
        api: Api::Cuda,
        index: 0,
        name,
        driver,
        memory,
        largest: memory,
        shared: 228 << 10,
        doubles: true,
        cpu: false,
        units,
        width: 32,
    };
    let asked = Arc::default();
    let idle = Idle { info, asked: Arc::clone(&asked), staging: Vec::new(), kernels: 0, memory: Vec::new() };
    let options = Options::default();
    let (choice, settings) = (Choice::new(&options, &plan), Settings::default());
    let method = kinlane_solve::methods::auto::method(None, &plan).unwrap();
    Some((Device::under(Box::new(idle), &plan, &options, (method, choice), &settings, 1), asked))
}

#[test]
fn memory_is_taken_anew_only_when_there_is_not_enough() {
    let Some((mut d, asked)) = device("h2co_burke", 16, 4) else { return };
    let pieces = || std::mem::take(&mut asked.lock().unwrap().pieces);
    d.prepare(100_000, false).unwrap();
    assert!(pieces() > 0);
    let k = d.plan.species;
    let (t, p, y) = (vec![1000.0; 500], vec![1e5; 500], vec![0.1; 500 * k]);
    let mut wdot = vec![0.0; 500 * k];
    for cells in [100_000, 99_999, 10, 50_000, 1] {
        d.prepare(cells, false).unwrap();
        let cut = d.cut(cells).unwrap();
        assert_eq!(d.lent.as_ref().unwrap().cut, cut, "{cells}: a launch knows the batch at hand");
        // Groups of 64 threads with one cell each.
        d.launch(0, [cells.min(cut.cells), 0], 1, false).unwrap();
        assert_eq!(asked.lock().unwrap().groups, cut.workers.min(cells).div_ceil(64), "{cells}");
        d.rates(Points::new(&t, &p, &y, Layout::CellMajor), &mut wdot, None).unwrap();
    }
    // The rates need memory of their own, once.
    assert!(pieces() <= 14, "{}", pieces());
    let mut taken = 0;
    for cells in 100_000..100_100 {
        d.prepare(cells, false).unwrap();
        taken += usize::from(pieces() > 0);
    }
    assert!(taken <= 1, "{taken} times for batches that grow a little");
}

#[test]
fn cells_that_go_on_have_a_kernel_and_memory_of_their_own() {
    let Some((mut d, _)) = device("h2co_burke", 16, 4) else { return };
    d.prepare(1000, false).unwrap();
    let first: Vec<_> = d.set.stages.iter().map(|s| s.kernel.unwrap().number).collect();
    assert_eq!(d.needs().record, 0);
    d.prepare(1000, true).unwrap();
    let [Stage { kernel: Some(alone), .. }] = d.set.stages[..] else { panic!("one kernel") };
    assert!(d.needs().record > 0 && !first.contains(&alone.number));
    let room = d.lent.as_ref().unwrap().room;
    assert!(room.kept >= 1000 * d.needs().record && room.host_kept >= 1000 * d.needs().record, "{room:?}");
    // Both are compiled once.
    d.prepare(1000, false).unwrap();
    assert!(d.set.stages.iter().map(|s| s.kernel.unwrap().number).eq(first));
}

#[test]
fn fourteen_warps_have_room_for_what_is_near() {
    let Some((d, _)) = device("h2co_burke", 16, 4) else { return };
    let groups = [32, 64].map(|size| Mapping::Group { size, tile: 1 });
    for (mapping, groups) in
        [Mapping::Thread { tile: 32, unrolled: false }, groups[0], groups[1]].into_iter().zip([7, 14, 7])
    {
        let near = near(d.info(), mapping);
        assert_eq!(abreast(group(d.info(), mapping).0, d.info().width), groups);
        // Including what is reserved for every group, in pieces of 128 bytes as the memory is granted.
        let bytes = (8 * near.doubles * near.cells + QUEUE).next_multiple_of(128) + RESERVED;
        assert!(groups * bytes <= d.info().shared, "{near:?}");
        assert!((groups + 1) * bytes > d.info().shared, "{near:?}: more has room");
    }
}

#[test]
fn large_batches_have_several_cells_in_a_warp_where_memory_serves() {
    // 420 cells for each of 132 multiprocessors are 55 440 cells.
    let kind = |mechanism: &str, units: usize, gib: u64, batches: &[usize]| {
        let (mut d, _) = device(mechanism, units, gib)?;
        let mut kind = |&cells: &usize| {
            d.prepare(cells, false).unwrap();
            let kernel = &d.compiled()[0];
            (kernel.mapping, kernel.threads, kernel.cells)
        };
        Some(batches.iter().map(&mut kind).collect::<Vec<_>>())
    };
    let check = |got: Option<Vec<_>>, want: &[_]| assert!(got.as_ref().is_none_or(|got| got == want), "{got:?}");
    let (alone, wide, parts) = (("group", 32, 1), ("group", 64, 1), ("part", 32, 4));
    check(kind("h2co_burke", 132, 80, &[1, 100_000]), &[("unrolled", 64, 64); 2]);
    let batches = [20_000, 55_000, 56_000, 100, 1_000_000];
    check(kind("gri30", 132, 80, &batches), &[alone, alone, parts, alone, parts]);
    check(kind("usc_mech_ii", 132, 80, &[1000, 271_000]), &[alone, parts]);
    check(kind("jetsurf2", 132, 80, &[55_000, 56_000]), &[wide, parts]);
    check(kind("jetsurf2", 132, 4, &[300_000]), &[wide]);
}

/// What a device hands back of a batch: the temperatures of cells that enter at 1000 K, and how many of them it has counted.
fn advanced(d: &mut Device, cells: usize, stop: &AtomicBool) -> (Vec<f64>, usize) {
    let k = d.plan.species;
    let (mut t, mut p, mut y) = (vec![1000.0; cells], vec![1e5; cells], vec![1.0 / k as f64; cells * k]);
    let mut outcome = vec![Outcome { status: Status::Cancelled, ..Outcome::default() }; cells];
    d.prepare(cells, false).unwrap();
    let all = Cells::new(&mut t, &mut p, &mut y, Layout::CellMajor, &mut outcome);
    let progress = AtomicUsize::new(0);
    let supply = Supply::new(Part::new(all), k);
    let journey = Journey { dt: 1e-6, sought: None, continuing: false };
    d.work(&supply, &journey, |_, fit, _| fit, Signals { progress: &progress, stop }).unwrap();
    let done = outcome.iter().filter(|o| o.status == Status::Done).count();
    assert_eq!(done, t.iter().filter(|&&t| t == 2000.0).count());
    (t, progress.into_inner())
}

#[test]
fn the_output_of_another_batch_is_nobodys() {
    let Some((mut d, asked)) = device("h2co_burke", 16, 4) else { return };
    let stop = Arc::new(AtomicBool::new(false));
    let half = ([[2000.0; 5], [1000.0; 5]].concat(), 5);
    asked.lock().unwrap().ends = 10;
    assert_eq!(advanced(&mut d, 10, &stop), (vec![2000.0; 10], 10));
    // A launch that reports success, and has done nothing, or half of it.
    asked.lock().unwrap().ends = 0;
    assert_eq!(advanced(&mut d, 10, &stop), (vec![1000.0; 10], 0));
    asked.lock().unwrap().ends = 5;
    assert_eq!(advanced(&mut d, 10, &stop), half);
    // What has arrived when a batch is stopped is kept.
    asked.lock().unwrap().pauses = Some(Arc::clone(&stop));
    assert_eq!(advanced(&mut d, 10, &stop), half);
    assert!(stop.load(Ordering::Relaxed));
}
