const DECLARED = /charset\s*=\s*["']?([\w-]{1,30})/i;
/** A page declares its encoding within this many bytes. */
const DECLARATION_BYTES = 1_024;

/** The text of a page, in the encoding that its headers, its first bytes or its head declare. */
export function decodePage(bytes: Uint8Array, contentType: string): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION_BYTES));
  const [, declared = 'utf-8'] = DECLARED.exec(contentType) ?? DECLARED.exec(head) ?? [];
  return decoderOf(markedAs(bytes) ?? declared).decode(bytes);
}

const DECLARED_BY_XML = /^\s*<\?xml[^>]{0,200}\bencoding\s*=\s*["']([\w-]{1,30})["']/i;

/** The text of an XML document, in the encoding that its headers, its first bytes or its declaration name. */
export function decodeXml(bytes: Uint8Array, contentType: string): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION_BYTES));
  const [, declared = 'utf-8'] = DECLARED.exec(contentType) ?? DECLARED_BY_XML.exec(head) ?? [];
  return decoderOf(markedAs(bytes) ?? declared).decode(bytes);
}

function markedAs([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined;
}

function decoderOf(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
