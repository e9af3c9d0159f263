import { Compass } from 'lucide-react'
import { useText } from '#web/i18n.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { openGroupText } from './text.ts'

/** Below the member's own groups. */
export default function FindLinkPageSection() {
  return (
    <ButtonLink kind="ghost" icon={Compass} className="create-group" href="/groups">
      {useText(openGroupText).title}
    </ButtonLink>
  )
}
