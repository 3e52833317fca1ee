/** Defects that can be switched on in the services (`DEFECT=<name>`). */

export const defects = [
  { name: 'one-only', guilty: 'shop', what: 'the shop orders one item, whatever the count' },
  { name: 'loses-large', guilty: 'packer', what: 'orders of more than five items are never packed' },
  { name: 'packs-twice', guilty: 'packer', what: 'one item too many goes into every parcel' },
] as const;

type DefectName = (typeof defects)[number]['name'];

export function has(name: DefectName): boolean {
  return process.env.DEFECT === name;
}
