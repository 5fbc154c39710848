exports.greet = (name) => (process.env.APP_LANGUAGE === 'de' ? `Hallo ${name}` : `Hello ${name}`);
