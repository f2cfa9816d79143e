import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Chart } from "../chart";
import { parseHistory, withClock, type Point } from "../csv";
import { saveFile } from "../files";
import { duration } from "../format";
import { useTexts } from "../hooks";
import { reasonOf } from "../messages";
import { requestText } from "../request";
import { Button, Card, Pending } from "../ui";

const PATH = "/web/history.csv";
/** ms. */
const REFRESH = 60_000;

/** The device's history of the last hours. */
export function History(): JSX.Element {
  const { t } = useTexts();
  const [points, setPoints] = useState<Point[]>();
  const [loaded, setLoaded] = useState({ text: "", at: 0 });
  // The selected time is shared by all charts.
  const [cursor, setCursor] = useState<number>();
  const [error, setError] = useState("");
  const load = async (): Promise<void> => {
    try {
      const text = await requestText("GET", PATH);
      setPoints(parseHistory(text));
      setLoaded({ text, at: Date.now() });
      setError("");
    } catch (problem) {
      setError(reasonOf(problem, t));
    }
  };
  useEffect(() => {
    void load();
    const refresh = (): void => void (document.visibilityState === "visible" && load());
    const timer = setInterval(refresh, REFRESH);
    document.addEventListener("visibilitychange", refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, []);
  if (!points) return <Pending error={error} retry={() => void load()} />;
  const column = (name: "soc" | "power" | "minCell" | "maxCell") =>
    points.map((point) => ({ time: point.time, value: point[name] }));
  return (
    <>
      <div class="actions">
        <Button onClick={() => void load()}>{t.history.refresh}</Button>
        <Button onClick={() => saveFile("battery-history.csv", "text/csv", withClock(loaded.text, loaded.at))}>
          {t.history.download}
        </Button>
        {points[0] && <span class="hint">{t.history.span(duration(-points[0].time))}</span>}
      </div>
      {error && <p class="failed">{error}</p>}
      {points.length ? (
        <div class="cards charts">
          <Card title={`${t.history.soc} (%)`}>
            <Chart
              now={loaded.at}
              cursor={cursor}
              onCursor={setCursor}
              title={t.history.soc}
              series={[{ name: t.history.soc, samples: column("soc") }]}
              unit="%"
              decimals={0}
              least={100}
              from={[0, 100]}
            />
          </Card>
          <Card title={`${t.history.power} (W)`}>
            <Chart
              now={loaded.at}
              cursor={cursor}
              onCursor={setCursor}
              title={t.history.power}
              series={[{ name: t.history.power, samples: column("power") }]}
              unit="W"
              decimals={0}
              least={20}
              hint={t.history.powerHint}
            />
          </Card>
          <Card title={`${t.history.cells} (V)`}>
            <Chart
              now={loaded.at}
              cursor={cursor}
              onCursor={setCursor}
              title={t.history.cells}
              series={[
                { name: t.history.highest, samples: column("maxCell") },
                { name: t.history.lowest, samples: column("minCell") },
              ]}
              unit="V"
              decimals={3}
              least={0.02}
            />
          </Card>
        </div>
      ) : (
        <p>{t.history.empty}</p>
      )}
    </>
  );
}
