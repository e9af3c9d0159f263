import { useMutation } from '@tanstack/react-query'
import { callEndpoint } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { Dot, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { ShortDate } from '#web/ui/RelativeTime.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { PersonName, UserText } from '#web/ui/UserText.tsx'
import { type AlbumLink, albumLinkEndpoints } from '../contract.ts'
import { shareText } from './share-text.ts'

interface Props {
  links: readonly AlbumLink[]
  /** For admins, who see those of all albums. */
  withTitles?: boolean
  onEnded: () => void
}

export function Links({ links, withTitles, onEnded }: Props) {
  const t = useText(shareText)
  const explain = useErrorText()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (id: number) => callEndpoint(albumLinkEndpoints.end, { id }),
    onSuccess: () => {
      showToast(t.ended)
      onEnded()
    },
    onError: (error) => showToast(explain(error), { kind: 'error' }),
  })
  return (
    <ul className="album-links">
      {links.map(({ id, title, created_by, ends_at, views_count }) => (
        <li key={id}>
          <span>
            {withTitles && (
              <strong>
                <UserText>{title}</UserText>
              </strong>
            )}
            <span className="text-meta">
              <PersonName>{created_by.name}</PersonName>
              <Dot />
              {t.until} <ShortDate at={ends_at} />
              <Dot />
              {t.views(views_count)}
            </span>
          </span>
          <Button small pending={isPending && variables === id} onClick={() => mutate(id)}>
            {t.end}
          </Button>
        </li>
      ))}
    </ul>
  )
}
