import "./icon.css";

/** Strokes on a 16 × 16 grid. */
const paths = {
  plus: "M8 3v10M3 8h10",
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM13.5 13.5l-3.3-3.3",
  check: "M3 8.5l3.2 3.2L13 5",
  cross: "M4 4l8 8M12 4l-8 8",
  chevron: "M6 3.5L10.5 8 6 12.5",
  down: "M3.5 6L8 10.5 12.5 6",
  copy: "M5.5 5.5v-2a1 1 0 0 1 1-1h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-2M3.5 5.5h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-6a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1Z",
  dots: "M2.75 8a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0M7.5 8a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0M12.25 8a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0",
  sun: "M8 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.85.85M11.75 11.75l.85.85M12.6 3.4l-.85.85M4.25 11.75l-.85.85",
  moon: "M13 9.6A5.5 5.5 0 0 1 6.4 3a5.5 5.5 0 1 0 6.6 6.6Z",
  screen: "M2.5 3.5h11v7h-11zM6 13.5h4",
  terminal: "M3 4.5l3.5 3.5L3 11.5M8.5 11.5H13",
  file: "M4 2.5h5l3 3v8H4zM9 2.5v3h3",
  folder: "M2 4.5v8h12v-7H8L6.5 4.5z",
  edit: "M10.5 3l2.5 2.5L6 12.5l-3 .5.5-3z",
  bolt: "M9 1.5L3.5 9H8l-1 5.5L12.5 7H8z",
  bot: "M3.5 6h9v6.5h-9zM8 6V3.5M6 9h.01M10 9h.01M1.8 8.5v1.8M14.2 8.5v1.8",
  list: "M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01",
  globe: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM2 8h12M8 2c2 2 2.5 4 2.5 6S10 12 8 14c-2-2-2.5-4-2.5-6S6 4 8 2Z",
  clip: "M13 7.2l-5.3 5.3a3 3 0 0 1-4.3-4.3l5.7-5.7a2 2 0 0 1 2.9 2.9L6.4 11a1 1 0 0 1-1.4-1.4L10 4.6",
  send: "M8 13V3.5M4 7.2L8 3.2l4 4",
  stop: "M5 5h6v6H5z",
  warn: "M8 2.2l6 10.8H2zM8 6.5v3M8 11.2v.01",
  info: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 7.3v3.6M8 5.2v.01",
  lock: "M4 7.5h8v6H4zM5.5 7.5v-2a2.5 2.5 0 0 1 5 0v2",
  question: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM6.3 6.4A1.75 1.75 0 1 1 8 8.6v.6M8 11.3v.01",
  trash: "M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.8l.6-9",
  upload: "M8 10.5V3M5 5.8L8 2.8l3 3M3 10.5v2.5h10v-2.5",
  download: "M8 2.8v7.5M5 7.5l3 3 3-3M3 10.5v2.5h10v-2.5",
  play: "M5 3.2l7.5 4.8L5 12.8z",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  first: "M4 3.5v9M12 3.5L7 8l5 4.5z",
  last: "M12 3.5v9M4 3.5L9 8l-5 4.5z",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  exit: "M9.5 3.5h-6v9h6M7 8h7M11.5 5.5L14 8l-2.5 2.5",
  spark: "M8 2.5l1.4 4.1 4.1 1.4-4.1 1.4L8 13.5 6.6 9.4 2.5 8l4.1-1.4z",
  up: "M8 12.5v-9M4 7.2l4-4 4 4",
  image: "M2.5 3.5h11v9h-11zM2.5 10.5l3-3 3 3 2-2 3 3M10.5 6.2h.01",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
