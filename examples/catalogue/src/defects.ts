/** Defects that can be switched on in the services (`DEFECT=<name>`), one for each covered requirement. */

export const defects = [
  {
    name: 'sessions-mixed',
    guilty: 'controller',
    what: 'every session may use the files of all others',
  },
  { name: 'simulates-at-once', guilty: 'controller', what: 'simulations do not wait for each other' },
  { name: 'entries-forgotten', guilty: 'controller', what: 'entries of a checklist may be deleted' },
  {
    name: 'price-later',
    guilty: 'controller',
    what: 'a design that was not priced may be simulated and reviewed',
  },
  { name: 'weight-ignored', guilty: 'controller', what: 'the weight of a design is not limited' },
  { name: 'any-key', guilty: 'controller', what: 'every key is accepted' },
] as const;

export type DefectName = (typeof defects)[number]['name'];

export function hasDefect(name: DefectName): boolean {
  return process.env.DEFECT === name;
}
