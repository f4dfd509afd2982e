/** The kinds of fields that the messages of this fake have. Maps are repeated entries of a key and a value. */
type FieldType = "string" | "bytes" | "bool" | "int" | "float" | "double" | MessageType;

/** The field's number and its type; in a list of its own where it is repeated. */
export type Field = readonly [number: number, type: FieldType | readonly [FieldType]];

/** A message of Protocol Buffers, as far as this fake reads and writes it. */
export interface MessageType<Fields extends Record<string, Field> = Record<string, Field>> {
  readonly fields: Fields;
}

type ValueOf<Type> = Type extends "string"
  ? string
  : Type extends "bytes"
    ? Uint8Array
    : Type extends "bool"
      ? boolean
      : Type extends MessageType<infer Fields>
        ? Decoded<MessageType<Fields>>
        : number;

/** A message that came: what it left out has its default, and messages in it that it left out are undefined. */
export type Decoded<Type> =
  Type extends MessageType<infer Fields>
    ? {
        readonly [Name in keyof Fields]: Fields[Name][1] extends readonly [infer Item]
          ? readonly ValueOf<Item>[]
          : Fields[Name][1] extends MessageType
            ? ValueOf<Fields[Name][1]> | undefined
            : ValueOf<Fields[Name][1]>;
      }
    : never;

/** A message to be sent. What is undefined is left out, and nothing else: a zero is written. */
export type Encodable<Type> =
  Type extends MessageType<infer Fields>
    ? {
        readonly [Name in keyof Fields]?:
          | (Fields[Name][1] extends readonly [infer Item]
              ? readonly EncodableValue<Item>[]
              : EncodableValue<Fields[Name][1]>)
          | undefined;
      }
    : never;

type EncodableValue<Type> = Type extends MessageType<infer Fields> ? Encodable<MessageType<Fields>> : ValueOf<Type>;

export function message<const Fields extends Record<string, Field>>(fields: Fields): MessageType<Fields> {
  return { fields };
}

const wire = { varint: 0, eightBytes: 1, length: 2, fourBytes: 5 } as const;

export function encode<Type extends MessageType>(type: Type, value: Encodable<Type>): Buffer {
  const parts: Buffer[] = [];
  for (const [name, [number, of]] of Object.entries(type.fields)) {
    const given = (value as Readonly<Record<string, unknown>>)[name];
    if (given === undefined) continue;
    const [items, item] = isRepeated(of) ? [given as unknown[], of[0]] : [[given], of];
    for (const one of items) parts.push(...encodeField(number, item, one));
  }
  return Buffer.concat(parts);
}

function encodeField(number: number, type: FieldType, value: unknown): Buffer[] {
  const tag = (kind: number) => varint(number * 8 + kind);
  switch (type) {
    case "bool":
    case "int":
      return [tag(wire.varint), varint(Number(value))];
    case "float": {
      const bytes = Buffer.alloc(4);
      bytes.writeFloatLE(value as number);
      return [tag(wire.fourBytes), bytes];
    }
    case "double": {
      const bytes = Buffer.alloc(8);
      bytes.writeDoubleLE(value as number);
      return [tag(wire.eightBytes), bytes];
    }
    default: {
      const bytes = typeof type === "object" ? encode(type, value as object) : Buffer.from(value as string);
      return [tag(wire.length), varint(bytes.length), bytes];
    }
  }
}

export function decode<Type extends MessageType>(type: Type, bytes: Buffer): Decoded<Type> {
  const value: Record<string, unknown> = {};
  const byNumber = new Map<number, readonly [string, Field[1]]>();
  for (const [name, [number, of]] of Object.entries(type.fields)) {
    value[name] = defaultOf(of);
    byNumber.set(number, [name, of]);
  }
  for (let at = 0; at < bytes.length; ) {
    const [tag, start] = readVarint(bytes, at);
    const [raw, end] = readRaw(bytes, start, tag % 8);
    at = end;
    const [name, of] = byNumber.get(Math.floor(tag / 8)) ?? [];
    if (name === undefined || of === undefined) continue;
    if (isRepeated(of)) (value[name] as unknown[]).push(read(of[0], raw));
    else value[name] = read(of, raw);
  }
  return value as Decoded<Type>;
}

function readRaw(bytes: Buffer, at: number, kind: number): readonly [raw: number | Buffer, end: number] {
  if (kind === wire.varint) return readVarint(bytes, at);
  const [length, start] =
    kind === wire.length ? readVarint(bytes, at) : ([kind === wire.fourBytes ? 4 : 8, at] as const);
  if (start + length > bytes.length) throw new Error("A message of Protocol Buffers ends in the middle of a field.");
  return [bytes.subarray(start, start + length), start + length];
}

function read(type: FieldType, raw: number | Buffer): unknown {
  if (typeof raw === "number") return type === "bool" ? raw !== 0 : raw;
  if (typeof type === "object") return decode(type, raw);
  if (type === "float") return raw.readFloatLE();
  if (type === "double") return raw.readDoubleLE();
  return type === "string" ? raw.toString() : Buffer.from(raw);
}

function defaultOf(type: Field[1]): unknown {
  if (isRepeated(type)) return [];
  if (typeof type === "object") return undefined;
  if (type === "string") return "";
  if (type === "bytes") return Buffer.alloc(0);
  return type === "bool" ? false : 0;
}

const isRepeated = (type: Field[1]): type is readonly [FieldType] => Array.isArray(type);

/** Up to 2^53; nothing that this fake reads or writes is larger, or negative. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}

function readVarint(bytes: Buffer, at: number): readonly [value: number, end: number] {
  let value = 0;
  for (let index = at; index < bytes.length; index += 1) {
    const byte = bytes[index]!;
    value += (byte % 128) * 2 ** (7 * (index - at));
    if (byte < 128) return [value, index + 1];
  }
  throw new Error("A message of Protocol Buffers ends in the middle of a number.");
}
