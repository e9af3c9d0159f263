import { Link2 } from 'lucide-react'
import { detectLanguage } from '#web/i18n.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { type ListProps, Months, Origin } from './Months.tsx'

const withoutScheme = (url: string) => url.replace(/^https?:\/\/(www\.)?/i, '')
const hostOf = (url: string) => withoutScheme(url).split(/[/?#]/)[0]

export const LinkRows = ({ rows }: ListProps) => (
  <Months rows={rows}>
    {(own) => (
      <ul className="cards flush attached-list">
        {own.flatMap((row) =>
          row.links.map(({ url, title }) => (
            <li key={`${row.kind} ${row.id} ${url}`}>
              <a className="shared-link" href={url} target="_blank" rel="noopener nofollow ugc">
                <Icon icon={Link2} />
                <span className="text">
                  <span className="name" dir="auto" lang={detectLanguage(title ?? '')}>
                    {title ?? withoutScheme(url)}
                  </span>
                  {title && (
                    <bdi className="text-meta" dir="ltr">
                      {hostOf(url)}
                    </bdi>
                  )}
                </span>
              </a>
              <Origin row={row} />
            </li>
          )),
        )}
      </ul>
    )}
  </Months>
)
