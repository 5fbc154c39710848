process.env.APP_LANGUAGE = 'en';
