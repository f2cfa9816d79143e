import type { JSX } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import type { Update } from "../documents";
import { quantity } from "../format";
import { Part } from "./group";
import { useAllTexts } from "./all-texts";
import { messageText } from "../messages";
import { persist } from "../persist";
import { beside, errorOf, request, UNANSWERED } from "../request";
import { Button, Check } from "../ui";

export function UpdatePart({ signed }: { readonly signed: boolean }): JSX.Element {
  const { t } = useAllTexts();
  return (
    <Part title={t.device.update} words={t.device.also.update} hint={t.device.updateHint}>
      {!signed && <p class="hint">{t.device.unsigned}</p>}
      <Upload />
    </Part>
  );
}

function Upload(): JSX.Element {
  const { t, language } = useAllTexts();
  const input = useRef<HTMLInputElement>(null);
  const [part, setPart] = useState<number>();
  const [message, setMessage] = useState("");
  const [failed, setFailed] = useState(false);
  const [older, setOlder] = useState(false);
  const id = useId();
  const upload = async (): Promise<void> => {
    const file = input.current?.files?.[0];
    if (part !== undefined) return;
    setFailed(!file);
    if (!file) {
      setMessage(t.device.noFile);
      return;
    }
    setPart(0);
    const progress = (sent: number): void => {
      setPart(sent);
      setMessage(sent < 1 ? t.device.uploading(quantity(language, Math.floor(sent * 100), "%")) : t.device.checking);
    };
    progress(0);
    const problem = await send(file, older, progress, t.common.unanswered);
    setPart(undefined);
    setFailed(problem !== "");
    setMessage(
      !problem
        ? t.device.updateDone
        : problem === t.common.unanswered
          ? problem
          : t.device.updateFailed(messageText(problem, t) ?? problem),
    );
  };
  return (
    <>
      <div class="field">
        <label for={id}>{t.device.file}</label>
        <input id={id} ref={input} type="file" accept=".bin" disabled={part !== undefined} />
      </div>
      <Check label={t.device.older} checked={older} onInput={setOlder} />
      {part !== undefined && <progress max={1} value={part} aria-label={t.device.upload} />}
      <div class="actions">
        <Button kind="primary" disabled={part !== undefined} onClick={() => void upload()}>
          {t.device.upload}
        </Button>
        <p role="status" class={failed ? "message failed" : "message"}>
          {message}
        </p>
      </div>
    </>
  );
}

/**
 * Streams the file with XMLHttpRequest, since fetch() reports no upload progress.
 * @returns why it failed; empty on success; `unanswered` if that is not known
 */
async function send(file: File, older: boolean, progress: (part: number) => void, unanswered: string): Promise<string> {
  const { status, text } = await new Promise<{ status: number; text: string }>((resolve) => {
    const post = new XMLHttpRequest();
    post.open("POST", beside(older ? "/web/update?older=1" : "/web/update"));
    post.setRequestHeader("Content-Type", "application/octet-stream");
    post.upload.onprogress = ({ loaded, total }) => progress(total ? loaded / total : 0);
    post.onloadend = () => resolve({ status: post.status, text: post.responseText });
    post.send(file);
  });
  if (status >= 200 && status < 300) return "";
  if (status && !UNANSWERED.includes(status)) return errorOf(text) || String(status);
  // The answer was lost; the device may still report the outcome.
  const update = await persist(() => request<Update>("GET", "/web/update")).catch(() => undefined);
  return update?.state === "restarting" ? "" : update?.error || unanswered;
}
