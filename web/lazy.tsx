/** Screens that few open: their file is loaded when they are first shown. */
import type { ComponentType, JSX } from "preact";
import { useLoad, useTexts } from "./hooks";
import type * as ControlFile from "./lazy/control";
import type * as DeviceFile from "./lazy/device";
import type * as HistoryFile from "./lazy/history";
import { load, loaded } from "./load";
import { Button, Pending } from "./ui";

interface LazyFiles {
  readonly control: typeof ControlFile;
  readonly device: typeof DeviceFile;
  readonly history: typeof HistoryFile;
}

/** A component that loads `file`, says so while it does not arrive, unless it is `quiet`, and then is the view that the file has. */
export function lazy<File extends keyof LazyFiles, Props extends object>(
  file: File,
  view: (has: LazyFiles[File]) => ComponentType<Props>,
  quiet = false,
): ComponentType<Props> {
  return function Lazy(props: Props): JSX.Element | null {
    const { t } = useTexts();
    const { value = loaded<LazyFiles[File]>(file), error, reload } = useLoad(() => load<LazyFiles[File]>(file));
    if (value) {
      const View = view(value);
      return <View {...props} />;
    }
    if (quiet) return null;
    if (value === null)
      return (
        <div class="card" role="alert">
          <p>{t.app.otherBuild}</p>
          <Button onClick={() => location.reload()}>{t.app.reload}</Button>
        </div>
      );
    return error ? (
      <div class="pending">
        <p role="status">{t.app.missing}</p>
        <Button onClick={() => void reload()}>{t.app.retry}</Button>
      </div>
    ) : (
      <Pending />
    );
  };
}
