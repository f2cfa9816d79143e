import DefaultTheme from "vitepress/theme";
// @ts-expect-error: VitePress bundles it.
import "./site.css";

export default DefaultTheme;
