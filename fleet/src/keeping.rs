//! The service that keeps the histories: how it is reached, and what it knows. Nothing but calls.

use crate::course::{Asked, Begin, Course, Sight};
use crate::queues::Queues;
use anyhow::{Context, Result};
use futures::StreamExt;
use proctor_core::words::RunId;
use temporalio_client::envconfig::LoadClientConfigProfileOptions;
use temporalio_client::errors::WorkflowStartError;
use temporalio_client::{
    Client, ClientOptions, Connection, WorkflowCancelOptions, WorkflowExecutionStatus,
    WorkflowIdReusePolicy, WorkflowListOptions, WorkflowQueryOptions, WorkflowSignalOptions,
    WorkflowStartOptions,
};

#[derive(Clone)]
pub struct Keeping {
    pub client: Client,
}

/// A run as the service lists it.
pub struct Listed {
    pub run: RunId,
    pub running: bool,
}

impl Keeping {
    /// By `TEMPORAL_ADDRESS`, `TEMPORAL_NAMESPACE` and the rest of Temporal's own settings.
    pub async fn reach() -> Result<Self> {
        Self::reach_at_or(None).await
    }

    /// The same at another place than the settings say.
    pub async fn reach_at(address: &str) -> Result<Self> {
        Self::reach_at_or(Some(address)).await
    }

    async fn reach_at_or(address: Option<&str>) -> Result<Self> {
        let options = LoadClientConfigProfileOptions::default();
        let (mut connection, client) =
            ClientOptions::load_from_config(options).map_err(|why| {
                anyhow::anyhow!("Temporal's settings can't be used: {why}\nhint: look at TEMPORAL_* and temporal.toml")
            })?;
        if let Some(address) = address {
            connection.target = format!("http://{address}").parse()?;
        }
        let connection = Connection::connect(connection).await.context(
            "the Temporal service can't be reached\nhint: `proctor-fleet dev` starts one here; TEMPORAL_ADDRESS says where another is",
        )?;
        Ok(Self { client: Client::new(connection, client)? })
    }

    /// Where it is, for people and for the mark beside a run.
    pub fn name() -> String {
        std::env::var("TEMPORAL_ADDRESS").unwrap_or_else(|_| "localhost:7233".to_owned())
    }

    /// Begins a course. False where one by this name was there before.
    pub async fn begin(&self, begin: Begin) -> Result<bool> {
        let id = begin.run.to_string();
        let options = WorkflowStartOptions::new(Queues::of(None).courses(), id)
            .id_reuse_policy(WorkflowIdReusePolicy::RejectDuplicate)
            .build();
        match self.client.start_workflow(Course::run, begin, options).await {
            Ok(_) => Ok(true),
            Err(WorkflowStartError::AlreadyStarted { .. }) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// What is known of a run after so many facts. Needs a worker.
    pub async fn sight(&self, run: &RunId, after: u64) -> Result<Sight> {
        let course = self.client.get_workflow_handle::<Course>(run.to_string());
        Ok(course.query(Course::sight, after, WorkflowQueryOptions::default()).await?)
    }

    /// Leaves a request with the service. Needs no worker.
    pub async fn ask(&self, run: &RunId, asked: Asked) -> Result<()> {
        let course = self.client.get_workflow_handle::<Course>(run.to_string());
        Ok(course.signal(Course::ask, asked, WorkflowSignalOptions::default()).await?)
    }

    /// Stops a course: what is at work ends first, then it is cleaned up.
    pub async fn stop(&self, run: &RunId) -> Result<()> {
        let course = self.client.get_workflow_handle::<Course>(run.to_string());
        Ok(course.cancel(WorkflowCancelOptions::default()).await?)
    }

    /// Every run that it knows.
    pub async fn list(&self) -> Result<Vec<Listed>> {
        let query = "WorkflowType = 'Course'";
        let mut found = self.client.list_workflows(query, WorkflowListOptions::default());
        let mut runs = Vec::new();
        while let Some(one) = found.next().await {
            let one = one?;
            let running = one.status() == WorkflowExecutionStatus::Running;
            runs.push(Listed { run: RunId::new(one.id()), running });
        }
        Ok(runs)
    }
}
