import './new-posts.css'
import { useQueryClient } from '@tanstack/react-query'
import { Bell, BellRing } from 'lucide-react'
import { useParams } from 'wouter'
import { type FullProfile, postEndpoints } from '#features/posts/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { newPostEndpoints } from '../contract.ts'
import { useChange, useChoices } from './choices.ts'
import { bellText } from './text.ts'

/** The bell on the profile of another member, which is loaded. */
export default function PersonPageSection() {
  const t = useText(bellText)
  const id = Number(useParams<{ id: string }>().id)
  const name = useQueryClient().getQueryData<FullProfile>([postEndpoints.author.path, id])?.name ?? ''
  const { data } = useChoices()
  const { mutate, isPending } = useChange(
    (isOn: boolean) =>
      callEndpoint(isOn ? newPostEndpoints.choosePerson : newPostEndpoints.dropPerson, { id }),
    (isOn) => (isOn ? t.chosen(name) : t.dropped(name)),
  )
  if (data?.mode === 'everybody')
    return (
      <p className="new-posts-bell">
        <ButtonLink small kind="ghost" icon={BellRing} href="/account/notifications#new-posts">
          {t.everybody}
        </ButtonLink>
      </p>
    )
  const isOn = data?.mode === 'chosen' && data.people.some((person) => person.id === id)
  return (
    <p className="new-posts-bell">
      <Button
        small
        icon={isOn ? BellRing : Bell}
        aria-pressed={isOn}
        pending={isPending}
        aria-disabled={!data || undefined}
        onClick={() => data && mutate(!isOn)}
      >
        {t.bell}
      </Button>
    </p>
  )
}
