/** The components shared by all screens. */
import type { ComponentChildren, JSX, RefObject } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { useTexts, type Task } from "./hooks";
import { keep, kept } from "./preferences";

type Children = { readonly children?: ComponentChildren };

export function Card({ title, children, wide }: Children & { title: string; wide?: boolean }): JSX.Element {
  const id = useId();
  return (
    <section class={wide ? "card wide" : "card"} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/**
 * A collapsible card; its content is rendered only while open. `note`: below its title, also while it is closed. `name`: whether it is open is kept in this
 * browser; `isOpen`: as long as nothing is.
 */
export function Fold({
  title,
  children,
  hint,
  note,
  name = "",
  isOpen = false,
  hidden = false,
}: Children & {
  title: string;
  hint?: string;
  note?: ComponentChildren;
  name?: string;
  isOpen?: boolean;
  hidden?: boolean;
}): JSX.Element {
  const [wanted, setWanted] = useState(() => (name ? kept(name) : null));
  const open = Boolean(wanted ?? isOpen);
  const toggle = (now: boolean): void => {
    if (now === open) return;
    const text = now ? "open" : "";
    setWanted(text);
    if (name) keep(name, text);
  };
  return (
    <details class="card fold" hidden={hidden} open={open} onToggle={({ currentTarget }) => toggle(currentTarget.open)}>
      <summary>
        <h2>{title}</h2>
        {note}
      </summary>
      {open && (
        <div class="content">
          {hint && <p class="hint">{hint}</p>}
          {children}
        </div>
      )}
    </details>
  );
}

/** `isLine`: values alone, one behind the other; their names are for screen readers. */
export function Facts({
  rows,
  isLine = false,
}: {
  rows: readonly (readonly [string, ComponentChildren] | false | undefined)[];
  isLine?: boolean;
}): JSX.Element {
  return (
    <dl class={isLine ? "facts line-up" : "facts"}>
      {rows.map(
        (row) =>
          row && (
            <div key={row[0]}>
              <dt class={isLine ? "hidden" : ""}>{row[0]}</dt>
              <dd>{row[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

export function Button({
  children,
  onClick,
  kind = "",
  disabled = false,
  submit = false,
  label,
}: Children & {
  onClick?: () => void;
  kind?: "" | "primary" | "danger" | "plain";
  disabled?: boolean;
  submit?: boolean;
  label?: string | undefined;
}): JSX.Element {
  return (
    <button
      type={submit ? "submit" : "button"}
      class={kind}
      disabled={disabled}
      aria-label={label}
      onClick={() => onClick?.()}
    >
      {children}
    </button>
  );
}

/** Live region: announced when its text changes. */
export function Message({ task, text, failed }: { task?: Task; text?: string; failed?: boolean }): JSX.Element {
  const bad = failed ?? task?.failed ?? false;
  return (
    <p class={bad ? "message failed" : "message"} role="status">
      {text ?? task?.message}
    </p>
  );
}

interface InputProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly type?: "text" | "password";
  readonly mode?: "text" | "decimal" | "numeric";
  readonly unit?: string;
  readonly complete?: string;
  readonly placeholder?: string;
  readonly focus?: boolean;
  readonly required?: boolean;
}

export function Input(props: InputProps): JSX.Element {
  const { label, value, onInput, hint, error, type = "text", mode = "text", unit, complete = "off" } = props;
  const { t } = useTexts();
  const [shown, setShown] = useState(false);
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (props.focus) input.current?.focus();
  }, []);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="entry">
        <input
          id={id}
          ref={input}
          type={type === "password" && !shown ? "password" : "text"}
          inputMode={mode}
          value={value}
          autocomplete={complete}
          autocapitalize="none"
          spellcheck={false}
          placeholder={props.placeholder}
          required={props.required ?? false}
          aria-invalid={Boolean(error)}
          aria-describedby={hint || error ? `${id}h` : undefined}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
        {unit && <span class="unit">{unit}</span>}
        {type === "password" && (
          <Button
            kind="plain"
            label={`${shown ? t.common.hide : t.common.show}: ${label}`}
            onClick={() => setShown(!shown)}
          >
            {shown ? t.common.hide : t.common.show}
          </Button>
        )}
      </div>
      {(hint || error) && (
        <p id={`${id}h`} class={error ? "hint failed" : "hint"}>
          {error || hint}
        </p>
      )}
    </div>
  );
}

/** Multi-line text input. */
export function TextArea({
  label,
  value,
  error,
  onInput,
}: {
  label: string;
  value: string;
  error?: string | undefined;
  onInput: (value: string) => void;
}): JSX.Element {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        rows={4}
        value={value}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        aria-invalid={Boolean(error)}
        aria-describedby={error ? `${id}h` : undefined}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      {error && (
        <p id={`${id}h`} class="hint failed">
          {error}
        </p>
      )}
    </div>
  );
}

export function Select({
  label,
  value,
  options,
  onInput,
}: {
  label: string;
  value: string;
  options: readonly (readonly [string, string])[];
  onInput: (value: string) => void;
}): JSX.Element {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => onInput(currentTarget.value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

export function Check({
  label,
  checked,
  onInput,
  hint,
}: {
  label: string;
  checked: boolean;
  onInput: (checked: boolean) => void;
  hint?: string;
}): JSX.Element {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={({ currentTarget }) => onInput(currentTarget.checked)} />
      <span>
        {label}
        {hint && <small class="hint">{hint}</small>}
      </span>
    </label>
  );
}

export function Form({ name, children, onSubmit }: Children & { name?: string; onSubmit: () => void }): JSX.Element {
  return (
    <form
      name={name}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}

/** A modal dialog. The browser traps the focus and restores it on close. */
export function Dialog({ title, onClose, children }: Children & { title: string; onClose: () => void }): JSX.Element {
  const dialog: RefObject<HTMLDialogElement> = useRef(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Closing restores the focus; mere removal from the page does not.
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

/** Asks for confirmation in a dialog. */
export function Confirm({
  title,
  text,
  list = [],
  action,
  onConfirm,
  onClose,
}: {
  title: string;
  text: string;
  list?: readonly string[];
  action: string;
  onConfirm: () => void;
  onClose: () => void;
}): JSX.Element {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <ul class="checks">
        {list.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <Question
        action={action}
        onConfirm={() => {
          onClose();
          onConfirm();
        }}
        onClose={onClose}
      />
    </Dialog>
  );
}

/** Answer buttons, the harmful one last, as in every dialog; it ignores a double click. */
export function Question(props: {
  action: string;
  disabled?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}): JSX.Element {
  const { t } = useTexts();
  const row: RefObject<HTMLDivElement> = useRef(null);
  // The focused button is gone: focus the safe answer, as `autofocus` does in a newly opened dialog.
  useEffect(() => row.current?.querySelector<HTMLButtonElement>("button")?.focus(), []);
  return (
    <div class="actions question" ref={row}>
      <button type="button" autofocus onClick={() => props.onClose()}>
        {t.common.cancel}
      </button>
      <button
        type="button"
        class="danger"
        disabled={props.disabled ?? false}
        // Ignore the second click of a double click.
        onClick={({ detail }) => detail < 2 && props.onConfirm()}
      >
        {props.action}
      </button>
    </div>
  );
}

/** A button that asks for confirmation. */
export function AskButton(props: {
  children: string;
  title?: string;
  text: string;
  disabled?: boolean;
  onConfirm: () => void;
}): JSX.Element {
  const { children, title, text, disabled = false, onConfirm } = props;
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button kind="danger" disabled={disabled} label={title} onClick={() => setOpen(true)}>
        {children}
      </Button>
      {open && (
        <Confirm
          title={title ?? children}
          text={text}
          action={children}
          onConfirm={onConfirm}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** Loading indicator, or the error. */
export function Pending({ error, retry }: { error?: string; retry?: () => void }): JSX.Element {
  const { t } = useTexts();
  return (
    <div class="pending">
      <p role="status">{error ? t.common.failed(error) : t.app.loading}</p>
      {error && retry && <Button onClick={retry}>{t.app.retry}</Button>}
    </div>
  );
}

/** On/off switch; its purpose is in the label. */
export function Switch({
  label,
  on,
  disabled,
  onToggle,
}: {
  label: string;
  on: boolean;
  disabled: boolean;
  onToggle: () => void;
}): JSX.Element {
  const { t } = useTexts();
  return (
    <button
      type="button"
      class="switch"
      role="switch"
      aria-checked={on}
      aria-label={label}
      disabled={disabled}
      onClick={() => onToggle()}
    >
      <span class="track" aria-hidden="true" />
      <span aria-hidden="true">{on ? t.common.on : t.common.off}</span>
    </button>
  );
}
