import { IconButton } from "../controls/button.tsx";
import { chooseTheme, nextTheme, useTheme } from "./theme.ts";

const icons = { system: "screen", light: "sun", dark: "moon" } as const;
const names = { system: "as the system", light: "light", dark: "dark" } as const;

export function ThemeToggle() {
  const theme = useTheme();
  return (
    <IconButton
      icon={icons[theme]}
      label={`Colours: ${names[theme]}. Change`}
      onClick={() => chooseTheme(nextTheme(theme))}
    />
  );
}
