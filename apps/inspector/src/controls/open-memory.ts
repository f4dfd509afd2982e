import { createContext, useContext, useState } from "react";

const OpenMemory = createContext<Map<string, boolean> | undefined>(undefined);

/** Remembers what was opened below it, for rows that leave the page when they are scrolled away. */
export const OpenMemoryProvider = OpenMemory.Provider;

/** Open as it is asked to be until somebody opens or closes it by hand. */
export function useOpen(isOpenAtFirst: boolean, key: string | undefined): [boolean, (isOpen: boolean) => void] {
  const memory = useContext(OpenMemory);
  const remembered = key === undefined ? undefined : memory?.get(key);
  const [chosen, setChosen] = useState(remembered);
  const change = (next: boolean) => {
    if (key !== undefined) memory?.set(key, next);
    setChosen(next);
  };
  return [chosen ?? isOpenAtFirst, change];
}
