import type { JSX } from "preact";
import { useId, useState } from "preact/hooks";
import type { GroupValues } from "../documents";
import { saveFile } from "../files";
import {
  backupName,
  makeBackup,
  powersOf,
  readBackup,
  RESTORE_ORDER,
  restoreBodies,
  type Backup,
} from "../backup-file";
import { useTask } from "../hooks";
import { Part } from "./group";
import { useAllTexts } from "./all-texts";
import { reasonOf } from "../messages";
import { request } from "../request";
import { Button, Check, Confirm, Message } from "../ui";

/** Larger than any valid backup. */
const MAX_FILE = 100_000;

export function BackupPart({ version }: { version: string }): JSX.Element {
  const { t } = useAllTexts();
  return (
    <Part title={t.device.backup} words={[t.device.restore]} hint={t.device.backupHint}>
      <BackupForm version={version} />
    </Part>
  );
}

function BackupForm({ version }: { version: string }): JSX.Element {
  const { t } = useAllTexts();
  const [secrets, setSecrets] = useState(false);
  const [chosen, setChosen] = useState<Backup>();
  const id = useId();
  const task = useTask();

  const backup = async (): Promise<string> => {
    const groups: Partial<Record<string, GroupValues>> = {};
    for (const group of RESTORE_ORDER)
      groups[group] = await request<GroupValues>("GET", `/web/group/${group}${secrets ? "?secrets=1" : ""}`);
    saveFile(backupName(groups), "application/json", makeBackup(version, groups));
    return t.common.saved;
  };

  const choose = async (file: File | undefined): Promise<void> => {
    // The file may be gone, or not readable.
    const text = file && file.size <= MAX_FILE ? await file.text().catch(() => "") : "";
    const read = readBackup(text);
    if (read) {
      task.clear();
      setChosen(read);
    } else if (file) void task.run(() => Promise.reject(new Error(t.device.notBackup)));
  };

  const restore = async ({ groups }: Backup): Promise<string> => {
    const problems: string[] = [];
    const done: string[] = [];
    // No address of the new settings may clash with one of the old list. Older firmware has none.
    if (groups.packs) await request("POST", "/web/group/packs", { further: [] }).catch(() => undefined);
    for (const group of RESTORE_ORDER) {
      let stored = 0;
      const bodies = restoreBodies(group, groups[group] ?? {});
      for (const body of bodies)
        await request("POST", `/web/group/${group}`, body).then(
          () => stored++,
          (error: unknown) => problems.push(t.device.restorePart(t.groups[group], reasonOf(error, t))),
        );
      if (stored) done.push(stored < bodies.length ? t.device.inPart(t.groups[group]) : t.groups[group]);
    }
    if (!problems.length) return t.device.restored;
    throw new Error([...problems, t.device.restoredOnly(done.join(", ") || t.common.none)].join(" "));
  };

  return (
    <>
      <Check
        label={t.device.withSecrets}
        checked={secrets}
        hint={secrets ? t.device.secretsWarning : ""}
        onInput={setSecrets}
      />
      <div class="actions">
        <Button kind="primary" disabled={task.busy} onClick={() => void task.run(backup)}>
          {t.device.saveBackup}
        </Button>
      </div>
      <div class="field">
        <label for={id}>{t.device.restore}</label>
        <input
          id={id}
          type="file"
          accept=".json,application/json"
          disabled={task.busy}
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            void choose(file).then(() => {
              // Lets the user choose the same file again.
              currentTarget.value = "";
            });
          }}
        />
      </div>
      <Message task={task} />
      {chosen && (
        <Confirm
          title={t.device.restore}
          text={t.device.restoreSure(
            RESTORE_ORDER.filter((group) => chosen.groups[group])
              .map((group) => t.groups[group])
              .join(", "),
          )}
          list={powersOf(chosen).map(([name, value]) => `${t.fields[name]}: ${value}`)}
          action={t.device.restore}
          onConfirm={() => void task.run(() => restore(chosen))}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  );
}
