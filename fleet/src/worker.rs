//! A machine that works: takes steps from the queues that it may take from, until it is asked to stop.

use crate::args::WorkerArgs;
use crate::course::Course;
use crate::effects::Effects;
use crate::keeping::Keeping;
use crate::out::talk;
use crate::queues::Queues;
use anyhow::Result;
use futures::future::try_join_all;
use proctor_engine::Shop;
use std::num::NonZeroUsize;
use std::time::Duration;
use temporalio_sdk::runtime::RuntimeOptions;
use temporalio_sdk::runtime::worker_tuner::{FixedSizeSlotSupplier, TunerHolder, WorkerTuner};
use temporalio_sdk::{Runtime, Worker, WorkerOptions};

/// How often it is looked whether this process is asked to stop.
const BEAT: Duration = Duration::from_millis(200);

/// Works until it is asked to stop. What is at work then may end; what takes longer goes to another machine.
pub async fn work(service: &Keeping, shop: Shop, args: &WorkerArgs) -> Result<()> {
    let runtime = Runtime::from_current_tokio(RuntimeOptions::default())?;
    let queues = args.machine.map_or_else(|| Queues::of(None), Queues::of_machine);
    let host = args.host();
    let own = queues.of_host(&host);
    let labelled: Vec<String> = args.labels.iter().map(|label| queues.with(label)).collect();
    let mut workers = Vec::new();
    for name in std::iter::once(queues.courses()).chain(labelled).chain([own]) {
        let courses = name == queues.courses();
        let options = WorkerOptions::new(name)
            .tuner(tuner(args.slots))
            .sticky_queue_schedule_to_start_timeout(Duration::from_secs(5))
            .graceful_shutdown_period(Duration::from_secs(args.drain))
            .register_activities(Effects { shop: shop.clone(), host: host.clone() });
        let options =
            if courses { options.register_workflow::<Course>()?.build() } else { options.build() };
        workers.push(Worker::new(&runtime, service.client.clone(), options)?);
    }
    let stops: Vec<_> = workers.iter().map(Worker::shutdown_handle).collect();
    talk(&format!(
        "{host} works on runs of machine {}, {} at once; the sandbox here: {}",
        queues.courses().trim_start_matches("proctor-"),
        args.slots,
        shop.level().level
    ));
    let working = try_join_all(workers.iter_mut().map(Worker::run));
    tokio::pin!(working);
    let mut asked = false;
    loop {
        tokio::select! {
            ended = &mut working => {
                ended?;
                talk(&format!("{host} has ended"));
                return Ok(());
            }
            () = tokio::time::sleep(BEAT), if !asked => {
                if shop.signals.asked_to_stop() {
                    asked = true;
                    talk(&format!("{host} takes nothing more; what is at work has {} s to end", args.drain));
                    for stop in &stops {
                        stop();
                    }
                }
            }
        }
    }
}

/// Histories cost little and may be many; steps have places.
fn tuner(slots: NonZeroUsize) -> WorkerTuner {
    let many = || FixedSizeSlotSupplier::new(100);
    TunerHolder::builder()
        .workflow_task_slot_supplier(many())
        .activity_task_slot_supplier(FixedSizeSlotSupplier::new(slots.get()))
        .local_activity_task_slot_supplier(many())
        .nexus_task_slot_supplier(many())
        .build()
        .into()
}
