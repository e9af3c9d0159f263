import { Bell, BellOff, BellRing } from 'lucide-react'
import { useParams } from 'wouter'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { MenuItemButton, MenuItemLink } from '#web/ui/Menu.tsx'
import { newPostEndpoints } from '../contract.ts'
import { useChange, useChoices } from './choices.ts'
import { bellText } from './text.ts'

/** In the menu of a group. */
export default function GroupPageSection() {
  const t = useText(bellText)
  const id = Number(useParams<{ id: string }>().id)
  const { data } = useChoices()
  const { mutate } = useChange(
    (isOn: boolean) => callEndpoint(isOn ? newPostEndpoints.chooseGroup : newPostEndpoints.dropGroup, { id }),
    (isOn) => (isOn ? t.chosenGroup : t.droppedGroup),
  )
  if (data?.mode === 'everybody')
    return (
      <MenuItemLink icon={BellRing} href="/account/notifications#new-posts">
        {t.everybody}
      </MenuItemLink>
    )
  const isOn = data?.mode === 'chosen' && data.groups.some((group) => group.id === id)
  return (
    <MenuItemButton icon={isOn ? BellOff : Bell} onPress={() => data && mutate(!isOn)}>
      {isOn ? t.end : t.bell}
    </MenuItemButton>
  )
}
