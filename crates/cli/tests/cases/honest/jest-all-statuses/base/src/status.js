exports.reason = (code) => (code === 200 ? 'OK' : `${code}`);
