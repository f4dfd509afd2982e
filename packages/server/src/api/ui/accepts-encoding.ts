/** Whether an `Accept-Encoding` header allows this encoding. */
export function acceptsEncoding(header: string | undefined, encoding: string): boolean {
  const offers = (header ?? "").split(",").map(parseOffer);
  const offer = offers.find(({ name }) => name === encoding) ?? offers.find(({ name }) => name === "*");
  return offer !== undefined && offer.weight > 0;
}

function parseOffer(text: string): { name: string; weight: number } {
  const [name = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  return { name, weight: weight === undefined ? 1 : Number(weight.slice(2)) };
}
