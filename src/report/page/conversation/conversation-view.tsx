/** What each agent and its model said to each other, with the tools beside it. */
import { counted } from '../../../kernel/counted.ts';
import { formatDuration } from '../../../kernel/duration.ts';
import { formatUsd } from '../../terminal/format-cost.ts';
import { isLeftOut } from '../embedded-report.ts';
import { JsonView } from '../evidence/json-view.tsx';
import { Text } from '../evidence/text.tsx';
import { TurnView } from '../evidence/turn-view.tsx';
import type { Item } from '../sequence/items.ts';
import type { Conversation, ToolUse, Turn } from './conversations.ts';
import type { Message, MessagePart } from './messages.ts';

interface ViewProps {
  readonly conversations: readonly Conversation[];
  readonly onEvent: (seq: number) => void;
}

export function ConversationView({ conversations, onEvent }: ViewProps) {
  if (conversations.length === 0) return <p class="empty">No model was asked in this attempt.</p>;
  return (
    <section class="conversations" tabIndex={0} aria-label="Conversations with models">
      {conversations.map((conversation) => (
        <OneConversation
          key={`${conversation.agent} ${conversation.model}`}
          conversation={conversation}
          onEvent={onEvent}
        />
      ))}
    </section>
  );
}

function OneConversation({
  conversation,
  onEvent,
}: {
  conversation: Conversation;
  onEvent: (seq: number) => void;
}) {
  const { agent, model, turns } = conversation;
  const cost = turns.reduce((sum, { known }) => sum + (known?.costUsd ?? 0), 0);
  const tokens = turns.reduce(
    (sum, { call }) => sum + (call.turn?.usage?.input ?? 0) + (call.turn?.usage?.output ?? 0),
    0,
  );
  return (
    <section class="conversation">
      <h3>
        {agent} <span class="dim">and {model}</span>
        <span class="dim">
          {' '}
          · {counted(turns.length, 'turn')} · {tokens.toLocaleString('en')} tokens
          {cost > 0 ? ` · ${formatUsd(cost)}` : ''}
        </span>
      </h3>
      {turns.map((turn, index) => (
        <OneTurn key={turn.item.seq} turn={turn} number={index + 1} onEvent={onEvent} />
      ))}
    </section>
  );
}

function OneTurn({ turn, number, onEvent }: { turn: Turn; number: number; onEvent: (seq: number) => void }) {
  const { item, call, known, messages, seenBefore, isRewritten, tools, uses } = turn;
  return (
    <article class="exchange">
      <header>
        <button type="button" class="link" onClick={() => onEvent(item.seq)}>
          turn {number}
        </button>
        <span class="dim">
          at {formatDuration(item.at)}
          {item.end === undefined ? '' : `, ${formatDuration(item.end - item.at)}`}
          {known?.model ? ` · ${known.model}` : ''}
          {known?.line === undefined ? '' : ` · line ${known.line} of the script`}
          {known?.costUsd ? ` · ${formatUsd(known.costUsd)}` : ''}
          {tools.length === 0 ? '' : ` · ${counted(tools.length, 'tool')} offered`}
        </span>
        {isRewritten && <span class="tag changed">an earlier message was changed</span>}
        {known?.fault && <span class="tag blame">{known.fault.what}</span>}
      </header>
      {seenBefore > 0 && (
        <details class="earlier">
          <summary>{counted(seenBefore, 'message')} as in the turn before</summary>
          {messages.slice(0, seenBefore).map((message, index) => (
            <OneMessage key={index} message={message} />
          ))}
        </details>
      )}
      {isLeftOut(call.request.json) && <Text text={call.request.json} />}
      {messages.slice(seenBefore).map((message, index) => (
        <OneMessage key={index} message={message} />
      ))}
      <div class="message answer">
        <span class="role">answer</span>
        <div>
          {call.turn ? (
            <TurnView turn={call.turn} />
          ) : (
            <p class="missing">{call.response?.status ?? 'no answer'}</p>
          )}
        </div>
      </div>
      {uses.map((use, index) => (
        <OneTool key={index} use={use} onEvent={onEvent} />
      ))}
    </article>
  );
}

function OneMessage({ message }: { readonly message: Message }) {
  return (
    <div class={`message ${message.role}`}>
      <span class="role">{message.role}</span>
      <div>
        {message.parts.map((part, index) => (
          <OnePart key={index} part={part} />
        ))}
      </div>
    </div>
  );
}

function OnePart({ part }: { readonly part: MessagePart }) {
  switch (part.kind) {
    case 'text':
      return (
        <p class="said">
          <Text text={part.text} />
        </p>
      );
    case 'thinking':
      return (
        <details class="reasoning">
          <summary>thinking</summary>
          <Text text={part.text} />
        </details>
      );
    case 'call':
      return (
        <div class="tool-call">
          calls <b>{part.name}</b> <code class="dim">{part.id}</code>
          <JsonView value={part.given} depth={1} />
        </div>
      );
    case 'result':
      return (
        <div class="tool-result">
          result <code class="dim">{part.id}</code>
          <JsonView value={part.value} depth={1} />
        </div>
      );
    default:
      return <JsonView value={part.value} depth={2} />;
  }
}

function OneTool({ use, onEvent }: { readonly use: ToolUse; readonly onEvent: (seq: number) => void }) {
  const { name, given, received, changes } = use;
  return (
    <div class="tool">
      <div>
        <h5>the model called {name}</h5>
        <JsonView value={given ?? null} depth={1} />
      </div>
      <div>
        {received ? (
          <>
            <h5>
              <button type="button" class="link" onClick={() => onEvent(received.seq)}>
                {received.to} received
              </button>
            </h5>
            <Received item={received} />
          </>
        ) : (
          <h5 class="dim">no tap saw this call</h5>
        )}
      </div>
      <div>
        <h5>{changes.length === 0 ? <span class="dim">no write was seen</span> : 'it wrote'}</h5>
        <ul class="changes">
          {changes.map((item) => (
            <li key={item.seq}>
              <button type="button" class="link" onClick={() => onEvent(item.seq)}>
                {item.from} → {item.to}
              </button>{' '}
              <Text text={item.label.slice(0, 200)} /> <span class="dim">{item.outcome}</span>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function Received({ item }: { readonly item: Item }) {
  const { event } = item;
  if (event.type !== 'call') return null;
  const params = event.params as { readonly arguments?: unknown } | undefined;
  return (
    <>
      <JsonView value={params?.arguments ?? event.request.json ?? null} depth={1} />
      <JsonView name="answer" value={event.error ?? event.result ?? event.response?.json ?? null} depth={3} />
    </>
  );
}
