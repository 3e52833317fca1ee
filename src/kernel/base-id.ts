/** The id of a trial without its case: the cases of a trial have the same steps and checks. */

export function baseId(id: string): string {
  return id.replace(/\[.*\]$/, '');
}
