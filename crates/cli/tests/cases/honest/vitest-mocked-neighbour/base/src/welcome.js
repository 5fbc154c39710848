import { send } from './send.js';

export const welcome = (user) => send(user.mail, 'Hello');
