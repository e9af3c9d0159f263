import { useText } from '#web/i18n.ts'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { messageText } from './text.ts'

/** Has a heading, so that the page is never without one. */
export function LoadingConversation() {
  const t = useText(messageText)
  return (
    <section className="conversation">
      <h1 className="visually-hidden">{t.privateChat}</h1>
      <LoadingText />
    </section>
  )
}
