import type { ReactNode } from 'react'
import { detectLanguageOfUserText } from '#web/i18n.ts'
import { LazyTextWithLinksMentionsAndTags } from '#web/LazyTextWithLinksMentionsAndTags.tsx'
import { isOneToThreeEmoji } from './emoji.ts'

export const MessageBubble = ({ text, children }: { text: string; children?: ReactNode }) => (
  // The bubble of a message is focusable, because a touch then focuses it, and a focused bubble shows its
  // menu button.
  <div
    className={isOneToThreeEmoji(text) ? 'bubble emoji-only' : 'bubble'}
    dir="auto"
    lang={detectLanguageOfUserText(text)}
    tabIndex={-1}
  >
    <LazyTextWithLinksMentionsAndTags>{text}</LazyTextWithLinksMentionsAndTags>
    {children}
  </div>
)
