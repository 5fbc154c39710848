import seats from './seats.cjs';

export const { letter, row } = seats;
