/** What the engine refuses, in four parts. */
import { Problem, Problems } from '../../../kernel/problem.ts';
import { EngineRefusal } from './engine-http.ts';

/** Problems pass unchanged; so does what is no refusal of the engine. */
export function engineProblem(error: unknown, where: string): unknown {
  if (error instanceof Problem || error instanceof Problems || !(error instanceof EngineRefusal))
    return error;
  const { said } = error;
  if (/no space left on device/i.test(said))
    return new Problem({
      code: 'world.disk-full',
      where,
      what: `the container engine has run out of disk: ${said}`,
      allowed: 'free space where the engine keeps images and volumes',
      next: 'free some (docker system df; docker system prune), and start again',
      cause: error,
    });
  const [allowed, next] = adviceFor(said);
  return new Problem({
    code: 'world.engine-refused',
    where,
    what: `the container engine refuses: ${said}`,
    allowed,
    next,
    cause: error,
  });
}

function adviceFor(said: string): readonly [allowed: string, next: string] {
  if (/executable file not found|no such file or directory/i.test(said))
    return [
      'a program that is in the image, as the first word of `entrypoint` or `command`',
      'correct it; without a shell in the image, name the program itself',
    ];
  if (/permission denied/i.test(said))
    return [
      'a program that may be executed by the user of the container',
      'correct its rights in the image, or `user`',
    ];
  if (/invalid mount config|bind source path does not exist/i.test(said))
    return ['a path that the engine can reach on this machine', 'correct `mounts`'];
  if (/unable to find user|no matching entries in passwd/i.test(said))
    return ['a user that the image knows, or a number', 'correct `user`'];
  return [
    'what this engine can do',
    'correct the config where it says so, or see the log of the engine (journalctl -u docker)',
  ];
}
