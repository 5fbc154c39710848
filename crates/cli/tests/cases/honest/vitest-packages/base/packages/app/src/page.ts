import { parse } from '../../core/src';

export const page = (query: string): number => Number(parse(query).page ?? 1);
