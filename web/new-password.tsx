import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useAllTexts } from "./device/all-texts";
import { Input } from "./ui";

const MIN_PASSWORD = 8;
const MAX_PASSWORD = 64;

/** Why the password is unacceptable; empty if it is acceptable. */
export function passwordProblem(
  password: string,
  repeated: string,
  words: { passwordRule: string; passwordsDiffer: string },
): string {
  const { length } = [...password];
  if (length < MIN_PASSWORD || length > MAX_PASSWORD) return words.passwordRule;
  return password === repeated ? "" : words.passwordsDiffer;
}

interface NewPassword {
  readonly password: string;
  /** Two fields: the password must be entered twice. */
  readonly fields: JSX.Element;
  /** Whether it is acceptable; if not, the fields show why. */
  check(): boolean;
  clear(): void;
}

export function useNewPassword(label: string): NewPassword {
  const { t } = useAllTexts();
  const [password, setPassword] = useState("");
  const [repeated, setRepeated] = useState("");
  const [error, setError] = useState("");
  return {
    password,
    fields: (
      <>
        <Input
          label={label}
          type="password"
          complete="new-password"
          hint={t.device.passwordRule}
          value={password}
          onInput={setPassword}
        />
        <Input
          label={t.device.repeatPassword}
          type="password"
          complete="new-password"
          error={error}
          value={repeated}
          onInput={setRepeated}
        />
      </>
    ),
    check() {
      const problem = passwordProblem(password, repeated, t.device);
      setError(problem);
      return !problem;
    },
    clear() {
      setPassword("");
      setRepeated("");
    },
  };
}
