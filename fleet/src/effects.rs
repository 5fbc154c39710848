//! The one activity: a step of a run, carried out on this machine.

use crate::course::Made;
use proctor_desk::afar::{Came, Step, carry};
use proctor_engine::Shop;
use proctor_world::child::Cancel;
use std::sync::Arc;
use std::time::Duration;
use temporalio_macros::activities;
use temporalio_sdk::activities::{ActivityContext, ActivityError};

pub struct Effects {
    pub shop: Shop,
    pub host: String,
}

#[activities]
impl Effects {
    #[activity]
    pub async fn effect(
        self: Arc<Self>,
        ctx: ActivityContext,
        step: Step,
    ) -> Result<Made, ActivityError> {
        let cancel = Cancel::new();
        let (shop, within, name) = (self.shop.clone(), cancel.clone(), step.run.clone());
        crate::out::talk(&format!("{name}: a step begins"));
        let mut work = tokio::task::spawn_blocking(move || {
            carry(&shop, &step, &within, &|line| crate::out::talk(&format!("{}: {line}", step.run)))
        });
        let silence = ctx.info().heartbeat_timeout.unwrap_or(Duration::from_secs(30));
        let mut beat = tokio::time::interval((silence / 3).max(Duration::from_millis(100)));
        let came = loop {
            tokio::select! {
                came = &mut work => break came,
                // The children end first; only then is it said that the step has stopped.
                () = ctx.cancelled(), if !cancel.is_cancelled() => cancel.cancel(),
                _ = beat.tick() => ctx.record_heartbeat(self.host.clone()).await?,
            }
        };
        let again = |why: String| {
            crate::out::talk(&format!("{name}: not here: {why}"));
            Err(anyhow::anyhow!(why).into())
        };
        match came {
            Ok(Ok(Came::Facts(facts))) => {
                crate::out::talk(&format!("{name}: a step ended with {} facts", facts.len()));
                Ok(Made { host: self.host.clone(), facts })
            }
            Ok(Ok(Came::Stopped)) => Err(ActivityError::cancelled()),
            Ok(Ok(Came::NotHere(why))) => again(why),
            Ok(Err(error)) => again(format!("{error:#}")),
            Err(error) => again(error.to_string()),
        }
    }
}
