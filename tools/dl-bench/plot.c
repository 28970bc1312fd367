/* dl-bench plot: a figure (SVG) from a table that dl-bench has written. */
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { FIELDS_MAX = 24, ROWS_MAX = 8192, SERIES_MAX = 24, WIDTH = 860, HEIGHT = 460 };
enum { LEFT = 60, RIGHT = 230, TOP = 44, BOTTOM = 56 };

struct table {
    char *text;
    char head[256]; /* the first comment: device and driver */
    const char *names[FIELDS_MAX];
    size_t name_count, row_count;
    const char *(*rows)[FIELDS_MAX];
};

struct point {
    double x, y;
    size_t order; /* of first appearance, for names on the axis */
    char name[48];
};

struct series {
    char name[96];
    struct point *points;
    size_t count;
};

static const char *const colours[] = {"#1b6ca8", "#d1495b", "#3a7d44", "#e08e1b",
                                      "#6b4c9a", "#008080", "#7a5230", "#444444"};

/* Splits a line at commas outside quotes, in place. */
static size_t line_split(char *line, const char **fields)
{
    size_t count = 0;

    while (line && count < FIELDS_MAX) {
        char *end;
        if (*line == '"') {
            fields[count++] = ++line;
            end = strchr(line, '"');
            if (end)
                *end++ = '\0';
            line = end && *end == ',' ? end + 1 : NULL;
        } else {
            fields[count++] = line;
            end = strchr(line, ',');
            if (end)
                *end++ = '\0';
            line = end;
        }
    }
    return count;
}

static bool table_read(const char *path, struct table *table)
{
    FILE *file = fopen(path, "r");
    size_t bytes = 0;
    char *line;

    memset(table, 0, sizeof *table);
    if (!file) {
        perror(path);
        return false;
    }
    table->rows = calloc(ROWS_MAX, sizeof *table->rows);
    table->text = calloc(1, 4 << 20);
    if (table->rows && table->text)
        bytes = fread(table->text, 1, (4 << 20) - 1, file);
    fclose(file);
    if (bytes == 0)
        return false;
    for (line = strtok(table->text, "\n"); line; line = strtok(NULL, "\n")) {
        if (*line == '#') {
            if (!*table->head)
                snprintf(table->head, sizeof table->head, "%s", line + 2);
        } else if (table->name_count == 0) {
            table->name_count = line_split(line, table->names);
        } else if (table->row_count < ROWS_MAX) {
            line_split(line, table->rows[table->row_count++]);
        }
    }
    return table->row_count > 0;
}

/* The value of `name` in a row: a column of the table, the tile, the first number of the case
 * ("columns", "leaves") or the last ("words"), or a knob. */
static void row_value(const struct table *table, size_t row, const char *name,
                      size_t name_bytes, char *out, size_t out_bytes)
{
    const char *const *fields = table->rows[row];
    const char *from_tile = "0", *to_tile = "0", *label = "", *knobs = "";

    *out = '\0';
    for (size_t f = 0; f < table->name_count; f++) {
        const char *value = fields[f] ? fields[f] : "";
        if (strlen(table->names[f]) == name_bytes &&
            memcmp(table->names[f], name, name_bytes) == 0) {
            snprintf(out, out_bytes, "%s", value);
            return;
        }
        if (strcmp(table->names[f], "from_tile") == 0)
            from_tile = value;
        if (strcmp(table->names[f], "to_tile") == 0)
            to_tile = value;
        if (strcmp(table->names[f], "case") == 0)
            label = value;
        if (strcmp(table->names[f], "knobs") == 0)
            knobs = value;
    }
    if ((name_bytes == 7 && memcmp(name, "columns", 7) == 0) ||
        (name_bytes == 6 && memcmp(name, "leaves", 6) == 0)) {
        snprintf(out, out_bytes, "%d", atoi(label)); /* the first number of the case */
    } else if (name_bytes == 4 && memcmp(name, "tile", 4) == 0) {
        snprintf(out, out_bytes, "%s", atoi(from_tile) ? from_tile : to_tile);
    } else if (name_bytes == 5 && memcmp(name, "words", 5) == 0) {
        for (const char *at = label; *at; at++)
            if (*at >= '0' && *at <= '9' && (at == label || at[-1] < '0' || at[-1] > '9'))
                snprintf(out, out_bytes, "%d", atoi(at));
    } else {
        for (const char *at = knobs; at;
             at = strchr(at, ' ') ? strchr(at, ' ') + 1 : NULL)
            if (strncmp(at, name, name_bytes) == 0 && at[name_bytes] == '=')
                snprintf(out, out_bytes, "%d", atoi(at + name_bytes + 1));
    }
}

/* "from,tile" -> "AoS 32"; a knob's value keeps its name. */
static void row_values(const struct table *table, size_t row, const char *names,
                       char *out, size_t out_bytes)
{
    size_t used = 0;

    *out = '\0';
    while (*names) {
        size_t bytes = strcspn(names, ",");
        char value[64];
        row_value(table, row, names, bytes, value, sizeof value);
        bool is_number = *value >= '0' && *value <= '9';
        used += (size_t)snprintf(out + used, used < out_bytes ? out_bytes - used : 0,
                                 "%s%s%.*s%s", used ? ", " : "", is_number ? "" : value,
                                 is_number ? (int)bytes : 0, names, is_number ? " " : "");
        if (is_number)
            used += (size_t)snprintf(out + used, used < out_bytes ? out_bytes - used : 0,
                                     "%s", value);
        names += bytes + (names[bytes] == ',');
    }
}

static int point_compare(const void *a, const void *b)
{
    const struct point *p = a, *q = b;

    return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

/* One point an abscissa: the median of all there are. */
static void series_reduce(struct series *series)
{
    size_t kept = 0;

    qsort(series->points, series->count, sizeof *series->points, point_compare);
    for (size_t p = 0, past; p < series->count; p = past) {
        for (past = p;
             past < series->count && series->points[past].x == series->points[p].x;)
            past++;
        series->points[kept++] = series->points[(p + past - 1) / 2];
    }
    series->count = kept;
}

static double x_at(double x, double low, double high)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * (high > low ? (x - low) / (high - low) : 0.5);
}

static double y_at(double y, double high)
{
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * y / high;
}

static void svg_write(FILE *out, const char *title, const char *x_name, const char *head,
                      const struct series *series, size_t count)
{
    double low = 1e300, high = -1e300, most = 0;
    const struct series *ticks = series;

    for (size_t s = 0; s < count; s++) {
        for (size_t p = 0; p < series[s].count; p++) {
            const struct point *point = &series[s].points[p];
            low = point->x < low ? point->x : low;
            high = point->x > high ? point->x : high;
            most = point->y > most ? point->y : most;
        }
        if (series[s].count > ticks->count)
            ticks = &series[s];
    }
    most = most > 100 ? ((int)most / 20 + 1) * 20 : 100;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
            "<text x=\"%d\" y=\"20\" font-size=\"15\">%s</text>\n"
            "<text x=\"%d\" y=\"36\" fill=\"#666\">%s</text>\n",
            WIDTH, HEIGHT, LEFT, title, LEFT, head);
    for (double y = 0; y <= most; y += 20)
        fprintf(out,
                "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>"
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.0f</text>\n",
                LEFT, WIDTH - RIGHT, y_at(y, most), y_at(y, most), LEFT - 6,
                y_at(y, most) + 4, y);
    fprintf(
        out,
        "<text x=\"14\" y=\"%d\" transform=\"rotate(-90 14 %d)\">%% of a copy</text>\n",
        HEIGHT / 2 + 30, HEIGHT / 2 + 30);
    for (size_t p = 0; p < ticks->count; p++)
        if (ticks->count <= 16 || p % ((ticks->count + 15) / 16) == 0)
            fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                    x_at(ticks->points[p].x, low, high), HEIGHT - BOTTOM + 18,
                    ticks->points[p].name);
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
            LEFT + (WIDTH - LEFT - RIGHT) / 2, HEIGHT - 12, x_name);
    for (size_t s = 0; s < count; s++) {
        const char *colour = colours[s % 8], *dash = s / 8 % 2 ? "5 3" : "none";
        fprintf(out,
                "<polyline fill=\"none\" stroke=\"%s\" stroke-dasharray=\"%s\" points=\"",
                colour, dash);
        for (size_t p = 0; p < series[s].count; p++)
            fprintf(out, "%.1f,%.1f ", x_at(series[s].points[p].x, low, high),
                    y_at(series[s].points[p].y, most));
        fprintf(out, "\"/>\n");
        for (size_t p = 0; p < series[s].count && series[s].count <= 80; p++)
            fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.2\" fill=\"%s\"/>\n",
                    x_at(series[s].points[p].x, low, high),
                    y_at(series[s].points[p].y, most), colour);
        fprintf(out, "<text x=\"%d\" y=\"%zu\" fill=\"%s\">%s%s</text>\n",
                WIDTH - RIGHT + 14, TOP + 12 + s * 16, colour, s / 8 % 2 ? "- - " : "",
                series[s].name);
    }
    fprintf(out, "</svg>\n");
}

/* Sorts the rows into series; false: no memory. With even steps, abscissas are numbered. */
static bool series_make(const struct table *table, const char *x_name, const char *by,
                        bool even, struct series *series, size_t *count)
{
    char names[256][48];
    size_t name_count = 0;

    for (size_t r = 0; r < table->row_count; r++) {
        char name[96], x[48], y[48], status[48];
        struct point point = {.order = 0};
        size_t s = 0, n = 0;
        row_value(table, r, "status", 6, status, sizeof status);
        row_value(table, r, "share_percent", 13, y, sizeof y);
        row_value(table, r, x_name, strlen(x_name), x, sizeof x);
        row_values(table, r, by, name, sizeof name);
        if (strcmp(status, "ok") != 0)
            continue;
        while (s < *count && strcmp(series[s].name, name) != 0)
            s++;
        if (s == SERIES_MAX)
            continue;
        if (s == *count) {
            snprintf(series[s].name, sizeof series[s].name, "%s", name);
            series[s].points = calloc(table->row_count, sizeof *series[s].points);
            if (!series[s].points)
                return false;
            ++*count;
        }
        while (n < name_count && strcmp(names[n], x) != 0)
            n++;
        if (n == name_count && n < 256)
            memcpy(names[name_count++], x, sizeof x);
        snprintf(point.name, sizeof point.name, "%s", x);
        point.x = even ? (double)n : atof(x);
        point.y = atof(y);
        series[s].points[series[s].count++] = point;
    }
    return true;
}

int plot_main(int argc, char **argv)
{
    struct series series[SERIES_MAX] = {{{0}, NULL, 0}};
    struct table table;
    size_t count = 0;
    bool even, good = false;
    FILE *out;

    if (argc != 7 && argc != 8) {
        fprintf(stderr,
                "usage: dl-bench plot TABLE.csv FIGURE.svg TITLE X SERIES[,SERIES...] "
                "[even]\n");
        return 2;
    }
    even = argc == 8;
    if (!table_read(argv[2], &table))
        return 1;
    out = fopen(argv[3], "w");
    if (!out)
        perror(argv[3]);
    if (out && series_make(&table, argv[5], argv[6], even, series, &count)) {
        for (size_t s = 0; s < count; s++)
            series_reduce(&series[s]);
        svg_write(out, argv[4], argv[5], table.head, series, count);
        good = count > 0;
    }
    if (out && fclose(out) != 0)
        good = false;
    for (size_t s = 0; s < count; s++)
        free(series[s].points);
    free(table.rows);
    free(table.text);
    return good ? 0 : 1;
}
