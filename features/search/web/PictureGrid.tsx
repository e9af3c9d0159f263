import { Suspense, useRef, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { useErrorText } from '#web/errors.ts'
import { detectLanguage, useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { Button } from '#web/ui/Button.tsx'
import { LoadingWord } from '#web/ui/LoadingText.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { PersonName } from '#web/ui/UserText.tsx'
import type { Attached } from '../contract.ts'
import { attachmentsText } from './attachments-text.ts'
import { type ListProps, Months } from './Months.tsx'

const loadLightbox = () => import('#features/posts/web/Lightbox.tsx')
const Lightbox = lazyWithRetry(loadLightbox)

/** In px: three in a row on a phone, five in a wide window. */
const SIZES = '(width < 45em) 33vw, 130px'

/** The lightbox goes through all of them. */
export function PictureGrid({ rows }: ListProps) {
  const t = useText(attachmentsText)
  const explain = useErrorText()
  const [open, setOpen] = useState<number | null>(null)
  const grid = useRef<HTMLDivElement>(null)
  const all = rows.flatMap((row) => row.images.map((image) => ({ image, row })))
  const indexOf = new Map(all.map(({ image }, at) => [image.id, at]))
  const show = (id: number) =>
    loadLightbox().then(
      () => setOpen(indexOf.get(id) ?? 0),
      (error: unknown) => showToast(explain(error), { kind: 'error' }),
    )
  const close = () => {
    const opener = grid.current?.querySelectorAll('button')[open ?? 0]
    setOpen(null)
    opener?.focus({ preventScroll: true })
  }
  return (
    <div ref={grid}>
      <Months rows={rows}>
        {(own) => (
          <ul className="picture-grid">
            {own.flatMap((row) =>
              row.images.map((image) => (
                <li key={image.id}>
                  <button
                    type="button"
                    aria-label={[t.open((indexOf.get(image.id) ?? 0) + 1, row.user.name), image.alt]
                      .filter(Boolean)
                      .join(' – ')}
                    onClick={() => show(image.id)}
                  >
                    <img
                      src={image.path}
                      srcSet={image.srcset || undefined}
                      sizes={SIZES}
                      alt={image.alt ?? ''}
                      lang={image.alt ? detectLanguage(image.alt) : undefined}
                      loading="lazy"
                      decoding="async"
                    />
                  </button>
                </li>
              )),
            )}
          </ul>
        )}
      </Months>
      {open !== null && (
        <Suspense>
          <Lightbox
            images={all.map(({ image }) => image)}
            start={open}
            onClose={close}
            caption={(at) => <Caption row={all[at]!.row} />}
          />
        </Suspense>
      )}
    </div>
  )
}

const places = Array.from({ length: 18 }, (_, at) => at)

export const PictureSkeletons = () => (
  <div className="picture-grid skeleton">
    {places.map((at) => (
      <span key={at} className="skeleton-part">
        {at === 0 && <LoadingWord />}
      </span>
    ))}
  </div>
)

function Caption({ row: { user, created_at, url } }: { row: Attached }) {
  const t = useText(attachmentsText)
  return (
    <span className="lightbox-origin">
      <span>
        <PersonName>{user.name}</PersonName> <RelativeTime at={created_at} />
      </span>
      {/* In place of the lightbox's entry in the history, so that Back leads to the grid. */}
      <Button small onClick={() => navigate(url, { replace: true })}>
        {t.show}
      </Button>
    </span>
  )
}
