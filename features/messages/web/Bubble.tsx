import type { ReactNode } from 'react'
import { detectLanguage } from '#web/i18n.ts'
import { LazyLinkedText } from '#web/LazyLinkedText.tsx'
import { isEmojiOnly } from './emoji.ts'

export const Bubble = ({ text, children }: { text: string; children?: ReactNode }) => (
  // Focusable, because a touch then focuses it, and a focused bubble shows its menu button.
  <div
    className={isEmojiOnly(text) ? 'bubble emoji-only' : 'bubble'}
    dir="auto"
    lang={detectLanguage(text)}
    tabIndex={-1}
  >
    <LazyLinkedText>{text}</LazyLinkedText>
    {children}
  </div>
)
