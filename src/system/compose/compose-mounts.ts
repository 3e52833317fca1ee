/** What a service of a compose file mounts, as the engine is told: volumes of the environment, copies of folders, configs and secrets. */
import { defined } from '../../kernel/defined.ts';
import { escapeReferences } from '../../kernel/references.ts';
import type { MountSpec } from '../container-spec.ts';
import { checkedMap } from './check-keys.ts';
import { fileMountKeys } from './compose-keys.ts';
import type { ComposeFile, ComposeMount, ComposeProject, ComposeService } from './compose-model.ts';
import { composeProblem, fieldOf, itemsOf, textOf } from './compose-node.ts';
import type { ComposeReport } from './compose-report.ts';
import { modeOf } from './service-mounts.ts';
import { boundFolder } from './volume-options.ts';

export function composeMounts(
  service: ComposeService,
  project: ComposeProject,
  report: ComposeReport,
): readonly MountSpec[] {
  return [
    ...service.mounts.map((mount) => mountSpec(mount, project)),
    ...fileMounts(service, 'configs', project, report),
    ...fileMounts(service, 'secrets', project, report),
  ];
}

function mountSpec(mount: ComposeMount, { volumes }: ComposeProject): MountSpec {
  const { type, source, target, readOnly } = mount;
  if (type === 'tmpfs')
    return { kind: type, target, ...defined({ sizeBytes: mount.sizeBytes, mode: mount.mode }) };
  if (type === 'bind')
    return {
      kind: type,
      source: source ?? '/',
      target,
      readOnly,
      createSource: mount.createSource,
      // A socket cannot be copied.
      ...(source?.endsWith('.sock') ? { direct: true } : {}),
    };
  const { driver, driverOptions } = (source === undefined ? undefined : volumes[source]) ?? {};
  const bound = boundFolder({ driver, driverOptions });
  if (bound) return { kind: 'bind', source: bound.device, target, readOnly: readOnly || bound.readOnly };
  return {
    kind: type,
    target,
    readOnly,
    ...defined({ name: source, noCopy: mount.noCopy || undefined, driver, driverOptions }),
  };
}

const folders = { configs: '/', secrets: '/run/secrets/' } as const;

function fileMounts(
  { name, node }: ComposeService,
  section: keyof typeof folders,
  { files, variables }: ComposeProject,
  report: ComposeReport,
): readonly MountSpec[] {
  return itemsOf(fieldOf(node, section)).flatMap((item): MountSpec[] => {
    const map = checkedMap(item, `\`${section}\``, fileMountKeys, report);
    const source = textOf(fieldOf(map, 'source')) ?? '';
    const file = files[`${section} ${source}`];
    if (file === undefined || file.from === 'external') {
      report.problem(
        notThere(name, section, source, fieldOf(map, 'source')?.at ?? item.at, file !== undefined),
      );
      return [];
    }
    const written = textOf(fieldOf(map, 'target')) ?? source;
    const target = written.startsWith('/') ? written : `${folders[section]}${written}`;
    if ('file' in file.from) return [{ kind: 'bind', source: file.from.file, target, readOnly: true }];
    const [uid, gid] = ['uid', 'gid'].map((key) => textOf(fieldOf(map, key)));
    const text = textFor(file, variables, report);
    const owner = defined({
      uid: uid === undefined ? undefined : Number(uid),
      gid: gid === undefined ? undefined : Number(gid),
    });
    return [
      { kind: 'file', text, target, ...defined({ mode: modeOf(textOf(fieldOf(map, 'mode'))) }), ...owner },
    ];
  });
}

/** A variable of the shell is looked up when the container is made, so that no file of ours holds its value. */
function textFor(
  { from, at }: ComposeFile,
  { shell, all }: ComposeProject['variables'],
  report: ComposeReport,
): string {
  if (typeof from === 'object' && 'content' in from) return escapeReferences(from.content);
  const name = typeof from === 'object' && 'variable' in from ? from.variable : '';
  if (shell(name) !== undefined) return `\${env.${name}}`;
  const value = all(name);
  if (value === undefined)
    report.problem(
      composeProblem(at, {
        code: 'compose.variable',
        what: `the variable ${name} is not set`,
        allowed: 'a variable of the shell, or of the .env file',
        next: `export ${name}=…`,
      }),
    );
  return escapeReferences(value ?? '');
}

function notThere(
  service: string,
  section: keyof typeof folders,
  source: string,
  at: ComposeService['at'],
  isExternal: boolean,
) {
  return composeProblem(at, {
    code: isExternal ? 'compose.unsupported' : 'config.unknown-name',
    what: isExternal
      ? `\`${service}\` uses \`${section}.${source}\`, which is external: nothing here knows its content`
      : `\`${service}\` uses \`${source}\`, which \`${section}\` of the file does not have`,
    allowed: `\`file\`, \`environment\`${section === 'configs' ? ' or `content`' : ''} of a declared one`,
    next: isExternal
      ? 'give it a `file` in a second compose file that follows this one'
      : `add it to \`${section}\``,
  });
}
