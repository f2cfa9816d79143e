/** Named API tokens, and read-only links, which are made and revoked in the same way. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { NamedToken } from "../documents";
import { useLoad, useTask } from "../hooks";
import { useAllTexts } from "./all-texts";
import { request } from "../request";
import { Address, ownAddress } from "./address-qr";
import { copyText } from "./copy";
import { AskButton, Button, Check, Form, Input, Message, Pending } from "../ui";

interface Made {
  readonly number: number;
  readonly token: string;
}

/** ms for which a new token is shown. */
const SHOWN = 120_000;

export function Tokens({ of }: { readonly of: "tokens" | "links" }): JSX.Element {
  const { t } = useAllTexts();
  const path = `/web/${of}`;
  const { value, error, reload } = useLoad(() => request<NamedToken[]>("GET", path));
  const [name, setName] = useState("");
  // Of a token: it may write. Of a link: to the wall view.
  const [isMore, setMore] = useState(false);
  const [made, setMade] = useState<Made>();
  const task = useTask();
  useEffect(() => {
    const timer = made && setTimeout(() => setMade(undefined), SHOWN);
    return () => clearTimeout(timer);
  }, [made]);
  if (!value) return <Pending error={error} retry={() => void reload()} />;
  const words = t.device[of];
  const isLink = of === "links";
  const make = async (): Promise<string> => {
    try {
      const { number, token } = await request<Made>("POST", path, { name, ...(!isLink && { write: isMore }) });
      setMade({ number, token: isLink ? `${ownAddress()}#${isMore ? "kiosk" : "link"}=${token}` : token });
      setName("");
    } finally {
      await reload();
    }
    return "";
  };
  const revoke = async ({ number, name }: NamedToken): Promise<string> => {
    await request("DELETE", `${path}?number=${number}`).finally(reload);
    if (made?.number === number) setMade(undefined);
    return `${name}: ${t.device.revoked}`;
  };
  const copy = async (): Promise<string> => {
    await copyText(made?.token ?? "", "made");
    return t.common.copied;
  };
  return (
    <>
      <h3>{words.title}</h3>
      <p class="hint">{words.hint}</p>
      <ul class="entries">
        {value.map((token) => (
          <li key={token.number}>
            <span>
              {token.name}
              {!isLink && ` · ${token.write ? t.device.mayWrite : t.device.mayRead}`}
            </span>
            <AskButton
              title={`${t.device.revoke}: ${token.name}`}
              text={isLink ? t.device.linkSure : t.device.rotateSure}
              disabled={task.busy}
              onConfirm={() => void task.run(() => revoke(token))}
            >
              {t.device.revoke}
            </AskButton>
          </li>
        ))}
      </ul>
      {made && (
        <>
          <div role="status">
            <p>
              {t.device.shownOnce} {!isLink && <code id="made">{made.token}</code>}
            </p>
            {isLink && <Address address={made.token} id="made" />}
          </div>
          <div class="actions">
            <Button disabled={task.busy} onClick={() => void task.run(copy)}>
              {t.common.copy}
            </Button>
            <Button onClick={() => setMade(undefined)}>{t.common.hide}</Button>
          </div>
        </>
      )}
      <Form onSubmit={() => void task.run(make)}>
        <Input label={words.name} value={name} required onInput={setName} />
        <Check label={isLink ? t.device.wallView : t.device.mayWrite} checked={isMore} onInput={setMore} />
        <div class="actions">
          <Button submit disabled={task.busy || !name}>
            {words.make}
          </Button>
          <Message task={task} />
        </div>
      </Form>
    </>
  );
}
