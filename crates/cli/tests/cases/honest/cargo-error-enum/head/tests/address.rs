use std::error::Error;
use x::port::{Address, AddressError};

#[test]
fn an_address_is_read() -> Result<(), Box<dyn Error>> {
    let address: Address = "localhost:8080".parse()?;
    assert_eq!(address, Address { host: "localhost".into(), port: 8080 });
    let six: Address = "::1:443".parse()?;
    assert_eq!((six.host.as_str(), six.port), ("::1", 443));
    Ok(())
}

#[test]
fn errors_say_why() {
    assert_eq!("localhost".parse::<Address>(), Err(AddressError::NoPort));
    assert_eq!(":80".parse::<Address>(), Err(AddressError::EmptyHost));
    let why = "h:99999".parse::<Address>().unwrap_err();
    assert_eq!(why.to_string(), "the port is wrong: number too large to fit in target type");
    assert!(why.source().is_some());
    assert_eq!(AddressError::NoPort.to_string(), "there is no port");
    assert_eq!(AddressError::EmptyHost.to_string(), "there is no host");
    assert!(AddressError::NoPort.source().is_none());
}
