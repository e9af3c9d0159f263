const many = (count: number) => Array.from({ length: count }, (_, at) => at)

export const PostBones = ({ count }: { count: number }) => (
  <div className="boards flush bones" aria-hidden="true">
    {many(count).map((at) => (
      <div className="board" key={at}>
        <div className="line-up">
          <span className="face bone" />
          <span className="stack">
            <span className="bone" />
            <span className="bone" />
          </span>
        </div>
        <div className="stack">
          <span className="bone" />
          <span className="bone" />
        </div>
      </div>
    ))}
  </div>
)

export const RowBones = ({ count }: { count: number }) => (
  <div className="boards flush bones" aria-hidden="true">
    {many(count).map((at) => (
      <div className="row" key={at}>
        <span className="face bone" />
        <span className="stack">
          <span className="bone" />
          <span className="bone" />
        </span>
      </div>
    ))}
  </div>
)
