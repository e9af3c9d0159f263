import { Ban, Flag, Volume2, VolumeX } from 'lucide-react'
import type { ReactNode } from 'react'
import { useText } from '#web/i18n.ts'
import { MenuItemButton, MenuItemLink } from '#web/ui/Menu.tsx'
import { hasPage } from '#web/views.tsx'
import type { Person } from '../contract.ts'
import { blockText } from './block-text.ts'
import { SearchMenuItems } from './SearchMenuItems.tsx'

interface Props {
  person: Person
  isMuted: boolean
  onOpen: (dialog: 'block' | 'mute') => void
  children: ReactNode
}

export default function PersonMenuItems({ person, isMuted, onOpen, children }: Props) {
  const t = useText(blockText)
  return (
    <>
      <SearchMenuItems place={`person:${person.id}`} />
      {children}
      <MenuItemButton icon={isMuted ? Volume2 : VolumeX} onPress={() => onOpen('mute')}>
        {isMuted ? t.unmute : t.mute}
      </MenuItemButton>
      {hasPage('/report/member/1') && (
        <MenuItemLink icon={Flag} href={`/report/member/${person.id}`}>
          {t.report}
        </MenuItemLink>
      )}
      <MenuItemButton icon={Ban} danger onPress={() => onOpen('block')}>
        {t.block}
      </MenuItemButton>
    </>
  )
}
