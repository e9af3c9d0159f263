import './forwarded-mark.css'
import { Forward } from 'lucide-react'
import type { ForwardedMark as Mark } from '#features/conversations/message-schemas.ts'
import { useText } from '#web/i18n.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { SentenceWithName } from '#web/ui/UserText.tsx'
import { forwardText } from './menu-text.ts'

interface Props {
  forwarded: Mark
  /** The member who has forwarded the message. */
  author: number
}

/** Names the author of the original if the viewer may see that person. */
export default function ForwardedMark({ forwarded: { from }, author }: Props) {
  const t = useText(forwardText)
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
