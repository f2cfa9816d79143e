/** The packs on the bus: the name of the first, whose address is that of the BMS link, then address and name of each further one. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { GroupValues } from "../documents";
import { nameText } from "../format";
import { valueOf } from "../group-values";
import { useGroup, useTask } from "../hooks";
import { live } from "../live";
import { request } from "../request";
import { GROUPS, type FormField } from "../tables";
import { Button, Form, Input, Message, Pending } from "../ui";
import { useAllTexts } from "./all-texts";
import { Search } from "./search";

/** As typed. */
interface Typed {
  readonly address: string;
  readonly name: string;
}

const ADDRESS = GROUPS.packs["further.0.address"] as FormField & { minimum: number; maximum: number };
const NAME = GROUPS.packs["first"] as FormField & { minimum: number; maximum: number };

const storedIn = (values: GroupValues): Typed[] =>
  (values["further"] as readonly { address: number; name: string }[]).map(({ address, name }) => ({
    address: String(address),
    name,
  }));

export function PacksForm(): JSX.Element {
  const { t, language } = useAllTexts();
  const { value: values, error, reload } = useGroup("packs");
  const [first, setFirst] = useState<string>();
  const [further, setFurther] = useState<readonly Typed[]>();
  const [tried, setTried] = useState(false);
  const task = useTask();
  if (!values) return <Pending error={error} retry={() => void reload()} />;
  const name = first ?? nameText(values["first"], t);
  const packs = further ?? storedIn(values);
  const change = (next: readonly Typed[]): void => {
    setFurther(next);
    task.clear();
  };
  const named = (text: string): unknown => valueOf(NAME, text, language);
  const addressed = (text: string): unknown => valueOf(ADDRESS, text, language);
  /** As each would be stored; undefined where it is not valid. */
  const meant = packs.map((pack) => ({ address: addressed(pack.address), name: named(pack.name) }));
  const isWrong =
    named(name) === undefined || meant.some((pack) => pack.address === undefined || pack.name === undefined);
  const save = (): void => {
    setTried(true);
    if (isWrong) return;
    void task.run(async () => {
      await request("POST", "/web/group/packs", { ...(first !== undefined && { first }), further: meant });
      await reload();
      setFirst(undefined);
      setFurther(undefined);
      setTried(false);
      void live.load("status");
      return t.common.saved;
    });
  };
  const nameError = (text: string): string | undefined =>
    tried && named(text) === undefined
      ? `${t.common.characters(String(NAME.minimum), String(NAME.maximum))}: ${t.rules.name}.`
      : undefined;
  const range = t.common.range(String(ADDRESS.minimum), String(ADDRESS.maximum));
  return (
    <Form onSubmit={save}>
      <Input label={t.fields["packs.first"]} value={name} error={nameError(name)} onInput={setFirst} />
      {packs.map((pack, at) => {
        const set = (part: Partial<Typed>): void =>
          change(packs.map((one, index) => (index === at ? { ...one, ...part } : one)));
        return (
          <fieldset key={at}>
            <legend>{t.bank.pack(String(at + 2))}</legend>
            <Input
              label={t.fields["packs.further.address"]}
              value={pack.address}
              mode="numeric"
              hint={range}
              error={tried && addressed(pack.address) === undefined ? t.control.notNumber(range) : undefined}
              onInput={(address) => set({ address })}
            />
            <Input
              label={t.fields["packs.further.name"]}
              value={nameText(pack.name, t)}
              error={nameError(pack.name)}
              onInput={(text) => set({ name: text })}
            />
            <Button
              label={`${t.device.removePack}: ${pack.name}`}
              onClick={() => change(packs.filter((_, index) => index !== at))}
            >
              {t.device.removePack}
            </Button>
          </fieldset>
        );
      })}
      <div class="actions">
        <Button onClick={() => change([...packs, { address: "", name: t.bank.pack(String(packs.length + 2)) }])}>
          {t.device.addPack}
        </Button>
        <Button submit kind="primary" disabled={task.busy}>
          {t.common.save}
        </Button>
        <Message task={task} />
      </div>
      <Search
        listed={packs.map((pack) => addressed(pack.address))}
        onAdd={(address) => change([...packs, { address: String(address), name: t.bank.pack(String(address)) }])}
      />
    </Form>
  );
}
