import './forwarded-mark.css'
import { Forward } from 'lucide-react'
import { useText } from '#web/i18n.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { SentenceWithName } from '#web/ui/UserText.tsx'
import type { ForwardedMark as Mark } from '../contract.ts'
import { forwardMessageText } from './forward-text.ts'

interface ForwardedMarkProps {
  forwarded: Mark
  /** The id of the member who has forwarded the message. */
  author: number
}

/**
 * Renders the line above a forwarded message. The line names the author of the original if the viewer may see
 * that person.
 */
export default function ForwardedMark({ forwarded: { from }, author }: ForwardedMarkProps) {
  const t = useText(forwardMessageText)
  return (
    <span className="forwarded-mark">
      <Icon icon={Forward} size="s" />
      {from && from.id !== author ? (
        <span dir="auto">
          <SentenceWithName words={t.forwardedFrom} name={from.name} />
        </span>
      ) : (
        t.forwarded
      )}
    </span>
  )
}
