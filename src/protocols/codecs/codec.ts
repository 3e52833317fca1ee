/** What a codec is: messages to bytes, and a stream of bytes, cut anywhere, back to messages. */

export interface Codec {
  readonly name: string;
  /** One message with its frame. Throws a CodecError when the message cannot be encoded in this codec. */
  encode(message: unknown): Uint8Array;
  createDecoder(options?: DecoderOptions): Decoder;
}

export interface DecoderOptions {
  /** The largest payload that is accepted; a frame that announces more is refused at once. */
  readonly maxFrameBytes?: number;
}

export interface Decoder {
  /** The messages that these bytes complete. Throws a CodecError at the first broken rule, and ever after. */
  push(bytes: Uint8Array): unknown[];
  /** To be called when no more bytes will come. Throws a CodecError when a frame was left unfinished. */
  end(): void;
  /** Bytes of a message that is not complete yet; a codec that does not know it leaves this out. */
  pendingBytes?(): number;
}

/** The rules that bytes or a message can break. */
export type CodecRule =
  | 'frame-too-large'
  | 'frame-unfinished'
  | 'length-not-hex'
  | 'length-missing'
  | 'length-not-decimal'
  | 'length-twice'
  | 'header-malformed'
  | 'header-too-large'
  | 'charset-not-utf8'
  | 'not-utf8'
  | 'not-json'
  | 'not-sexp'
  | 'too-deep'
  | 'not-encodable'
  /** A user's codec threw. */
  | 'own-rule';

export class CodecError extends Error {
  readonly codec: string;
  readonly rule: CodecRule;
  /** The messages that the same push completed before the rule was broken. */
  readonly messages: readonly unknown[];

  constructor(codec: string, broken: BrokenRule, messages: readonly unknown[] = []) {
    super(`${codec}: ${broken.rule}: ${broken.message}`);
    this.name = 'CodecError';
    this.codec = codec;
    this.rule = broken.rule;
    this.messages = messages;
  }
}

/** Thrown inside a codec; the frame around it adds the codec's name and the messages so far. */
export class BrokenRule extends Error {
  readonly rule: CodecRule;

  constructor(rule: CodecRule, detail: string) {
    super(detail);
    this.rule = rule;
  }
}
