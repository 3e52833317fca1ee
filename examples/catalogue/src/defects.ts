/** Mistakes that the services can be told to make (`DEFECT=<name>`), one for each requirement that is covered. */

export const defects = [
  {
    name: 'sessions-mixed',
    guilty: 'controller',
    what: 'whoever has a session may use the files of every other',
  },
  { name: 'simulates-at-once', guilty: 'controller', what: 'simulations do not wait for each other' },
  { name: 'entries-forgotten', guilty: 'controller', what: 'entries of a checklist may be deleted' },
  {
    name: 'price-later',
    guilty: 'controller',
    what: 'a design that was not priced may be simulated and reviewed',
  },
  { name: 'weight-ignored', guilty: 'controller', what: 'a design may be as heavy as it likes' },
  { name: 'any-key', guilty: 'controller', what: 'every key is let in' },
] as const;

export type DefectName = (typeof defects)[number]['name'];

export function hasDefect(name: DefectName): boolean {
  return process.env.DEFECT === name;
}
