import { Images } from 'lucide-react'
import { useParams } from 'wouter'
import { defineTexts, useText } from '#web/i18n.ts'
import { MenuItemLink } from '#web/ui/Menu.tsx'

const linkText = defineTexts({ en: { albums: 'Albums' }, ja: { albums: 'アルバム' } })

/** In the menu of a group. */
export default function GroupPageSection() {
  const t = useText(linkText)
  const { id } = useParams<{ id: string }>()
  return (
    <MenuItemLink icon={Images} href={`/albums?group=${id}`}>
      {t.albums}
    </MenuItemLink>
  )
}
