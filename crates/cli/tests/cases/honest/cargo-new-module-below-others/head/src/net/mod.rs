pub mod addr;
pub mod url;
