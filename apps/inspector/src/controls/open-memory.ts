import { createContext, useContext, useState } from "react";

const OpenMemory = createContext<Map<string, boolean> | undefined>(undefined);

/** Remembers what was opened below it, for rows that leave the page when they are scrolled away. */
export const OpenMemoryProvider = OpenMemory.Provider;

export function useOpen(isOpenAtFirst: boolean, key: string | undefined): [boolean, (isOpen: boolean) => void] {
  const memory = useContext(OpenMemory);
  const remembered = key === undefined ? undefined : memory?.get(key);
  const [isOpen, setOpen] = useState(remembered ?? isOpenAtFirst);
  const change = (next: boolean) => {
    if (key !== undefined) memory?.set(key, next);
    setOpen(next);
  };
  return [isOpen, change];
}
