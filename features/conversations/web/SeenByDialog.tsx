import './seen-by.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { profilePath } from '#features/people/contract.ts'
import { SharedHandle } from '#features/people/web/SharedHandle.tsx'
import { fetchPage } from '#web/api.ts'
import { hasStatus, useErrorText } from '#web/errors.ts'
import { detectLanguage, useText } from '#web/i18n.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Link } from '#web/ui/Link.tsx'
import { RowSkeletons } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { readMarkEndpoints } from '../contract.ts'
import { readMarksText } from './read-marks-text.ts'

type ReadersEndpoint = (typeof readMarkEndpoints)['seenBy' | 'notSeenBy']

/** Not cached: each opening of the dialog loads the list again, because people go on reading. */
function useReaders(endpoint: ReadersEndpoint, id: number) {
  const query = useInfiniteQuery({
    queryKey: [endpoint.path, id],
    queryFn: ({ pageParam }) => fetchPage(endpoint, { id }, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    gcTime: 0,
  })
  return { ...query, people: query.data?.pages.flatMap(({ rows }) => rows) }
}

interface Props {
  message: { id: number }
  onClose: () => void
}

export function SeenByDialog({ message, onClose }: Props) {
  const t = useText(readMarksText)
  const explain = useErrorText()
  const seen = useReaders(readMarkEndpoints.seenBy, message.id)
  const notSeen = useReaders(readMarkEndpoints.notSeenBy, message.id)
  const error = seen.error ?? notSeen.error
  // 403: the current member does not show others what they have read.
  const isOwnSwitchOff = hasStatus(error, 403)
  const isLoaded = seen.people && notSeen.people
  return (
    <Dialog open title={t.dialogTitle} onClose={onClose} className="seen-by">
      {isOwnSwitchOff && <p>{explain(error)}</p>}
      {error && !isOwnSwitchOff && <Notice kind="error">{explain(error)}</Notice>}
      {!isLoaded && !error && <RowSkeletons count={3} />}
      {isLoaded && (
        <>
          <Readers title={t.seen} nobody={t.seenByNobody} query={seen} />
          <Readers title={t.notSeen} nobody={t.seenByAll} query={notSeen} />
          <p className="text-meta">{t.hiddenHelp}</p>
        </>
      )}
      <div className="dialog-actions">
        {isOwnSwitchOff && <ButtonLink href="/account#read-marks">{t.toSwitch}</ButtonLink>}
        <Button onClick={onClose}>{t.close}</Button>
      </div>
    </Dialog>
  )
}

interface ReadersProps {
  title: string
  nobody: string
  query: ReturnType<typeof useReaders>
}

function Readers({ title, nobody, query }: ReadersProps) {
  const t = useText(readMarksText)
  const id = useId()
  const { people = [], hasNextPage, isFetchingNextPage, fetchNextPage } = query
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>
        {title} {people.length > 0 && !hasNextPage && <span className="text-soft">{people.length}</span>}
      </h3>
      {people.length === 0 && <p className="text-soft">{nobody}</p>}
      <ul className="rows">
        {people.map((person) => (
          <li className="row" key={person.id}>
            <Avatar person={person} size="s" />
            <span className="text">
              {person.is_former ? (
                person.name
              ) : (
                <Link
                  className="name"
                  href={profilePath(person)}
                  dir="auto"
                  lang={detectLanguage(person.name)}
                >
                  {person.name}
                </Link>
              )}
              <SharedHandle person={person} />
            </span>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button small pending={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {t.more}
        </Button>
      )}
    </section>
  )
}
