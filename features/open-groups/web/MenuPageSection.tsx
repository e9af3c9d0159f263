import { DoorOpen } from 'lucide-react'
import { useParams } from 'wouter'
import { useText } from '#web/i18n.ts'
import { MenuItemLink } from '#web/ui/Menu.tsx'
import { openGroupText } from './text.ts'

/** In the menu of a group. */
export default function MenuPageSection() {
  const t = useText(openGroupText)
  const { id } = useParams<{ id: string }>()
  return (
    <MenuItemLink icon={DoorOpen} href={`/groups/${id}`}>
      {t.menu}
    </MenuItemLink>
  )
}
