import '#features/posts/web/files.css'
import { FileRow } from '#features/posts/web/Files.tsx'
import { type ListProps, Months, Origin } from './Months.tsx'

export const FileRows = ({ rows }: ListProps) => (
  <Months rows={rows}>
    {(own) => (
      <ul className="cards flush attached-list">
        {own.flatMap((row) =>
          row.files.map(({ preview: _, ...file }) => (
            <li key={file.id} className="attached-files">
              <FileRow file={file} opens />
              <Origin row={row} />
            </li>
          )),
        )}
      </ul>
    )}
  </Months>
)
